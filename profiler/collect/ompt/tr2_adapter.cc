#include "profiler/collect/ompt/tr2_adapter.h"

#include <stdint.h>

#include <initializer_list>

#include "profiler/collect/base/notes.h"
#include "profiler/collect/base/os.h"
#include "profiler/collect/base/seal.h"
#include "profiler/collect/blame/sync_waits.h"
#include "profiler/collect/ompt/bind.h"
#include "profiler/collect/ompt/id_map.h"
#include "profiler/collect/ompt/numbered_tasks.h"
#include "profiler/collect/ompt/tr2_values.h"
#include "profiler/collect/paths/path_here.h"
#include "profiler/collect/tasks/current_task.h"
#include "profiler/collect/tasks/region.h"
#include "profiler/collect/tasks/runtime_code.h"
#include "profiler/collect/tasks/thread_tasks.h"
#include "profiler/collect/thread/session.h"
#include "profiler/collect/thread/thread_state.h"

namespace ompprof::collect {
namespace {

using tr2::Event;
using Id = uint64_t;

// A region that has begun and not ended.
struct LiveParallel {
  ompt_data_t data;
  const ThreadState* encountering;
  std::atomic<uint32_t> begun;  // implicit tasks
};

// The runtime's functions, and the collector's callbacks by the numbers of OpenMP 5.x.
struct Spoken {
  int (*set_callback)(int event, ompt_callback_t callback);
  int (*get_state)(ompt_wait_id_t* wait_id);
  Id (*get_task_id)(int depth);
  tr2::Frame* (*get_task_frame)(int depth);
  int (*get_parallel_team_size)(int level);
  void (*finalize)();
  bool reenters_as_runtime;
  bool linked_in;  // the runtime is a part of the program
  ompt_callback_t heard[kOmptEvents];
  ompt_set_result_t results[tr2::kEvents];  // of the events that the adapter has registered
};
Spoken spoken;

IdMap<LiveParallel, 12> parallels;
// The sites of explicit tasks: the values that the collector keeps in their data words.
IdMap<uint64_t, 16> task_sites;
// The return address of the call that begins regions with an outlined function.
IdMap<uint64_t, 12> call_sites;

template <typename Function, typename... Arguments>
void Tell(ompt_callbacks_t event, Arguments... arguments) {
  if (auto callback = reinterpret_cast<Function>(spoken.heard[event])) callback(arguments...);
}

bool MayLook(const ThreadState* thread) {
  return thread != nullptr && session.active.load(std::memory_order_relaxed) &&
         !seal.process.load(std::memory_order_relaxed);
}

NumberedTasks* TasksOf(ThreadState* thread) {
  if (thread == nullptr) return nullptr;
  if (thread->tasks.numbered == nullptr)
    thread->tasks.numbered = static_cast<NumberedTasks*>(MapFixed(sizeof(NumberedTasks)));
  return thread->tasks.numbered;
}
NumberedTasks* TasksHere() { return TasksOf(this_thread); }

// The place of a construct of which only the outlined function is known. Reports look for the call before the address.
const void* SiteIn(const void* function) {
  return function != nullptr ? static_cast<const char*>(function) + 1 : nullptr;
}

// The place where the program began the region. The first region with this function has walked the stack for it.
const void* CallSite(const void* function) {
  uint64_t* known = call_sites.Find(reinterpret_cast<uintptr_t>(function));
  uint64_t site = known != nullptr ? *known : 0;
  if (site == 0 && MayLook(this_thread)) {
    site = CallerHere(this_thread);
    known = site != 0 && function != nullptr ? call_sites.Insert(reinterpret_cast<uintptr_t>(function)) : nullptr;
    if (known != nullptr) *known = site;
  }
  return site != 0 ? reinterpret_cast<const void*>(site) : SiteIn(function);
}

void TellSync(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t* parallel, ompt_data_t* task) {
  Tell<ompt_callback_sync_region_t>(ompt_callback_sync_region_wait, kind, endpoint, parallel, task, nullptr);
}

// Tells the end of an implicit task, and of the barrier at its end, and forgets the task.
void EndImplicit(NumberedTasks* tasks) {
  NumberedTask* task = tasks->Top();
  if (task->at_end && task->IsWorkers())
    TellSync(ompt_sync_region_barrier_implicit_parallel, ompt_scope_end, &task->parallel, &task->word);
  Tell<ompt_callback_implicit_task_t>(ompt_callback_implicit_task, ompt_scope_end, &task->parallel, &task->word, 0u,
                                      static_cast<unsigned int>(task->thread_num), ompt_task_implicit);
  tasks->Pop();
}

// LLVM's runtimes tell a worker's end of the region before the region has ended, and the worker then waits in its idle
// state for the rest of the team. So a worker's end is told when the worker is next needed, as OpenMP 5.x allows and
// LLVM's later runtimes do.
void EndWorkersTask(NumberedTasks* tasks) {
  NumberedTask* top = tasks->Top();
  if (top != nullptr && top->IsWorkers()) EndImplicit(tasks);
}

// The frames of the task `id`, which is `level` tasks out from the innermost. A runtime may keep frames wherever it
// likes, so it is asked. But LLVM's runtime has another task at that level, if the task around is not the task's maker.
// It never moves frames. Async-signal-safe.
const tr2::Frame* FrameOf(uint64_t id, int level, const tr2::Frame* at_begin) {
  return spoken.get_task_id(level) == id ? spoken.get_task_frame(level) : at_begin;
}

// The callbacks, as the runtime calls them.

void OnThreadBegin(int type, Id) {
  if (NumberedTasks* tasks = TasksHere()) tasks->Clear();
  Tell<ompt_callback_thread_begin_t>(ompt_callback_thread_begin, static_cast<ompt_thread_t>(type), nullptr);
}

void OnThreadEnd(int, Id) {
  if (NumberedTasks* tasks = TasksHere()) EndWorkersTask(tasks);
  Tell<ompt_callback_thread_end_t>(ompt_callback_thread_end, nullptr);
}

void OnParallelBegin(Id task_id, const tr2::Frame* frame, Id parallel_id, uint32_t requested, const void* function,
                     int invoker) {
  NumberedTasks* tasks = TasksHere();
  if (tasks == nullptr) return;
  if (tasks->depth == 0) {
    tasks->initial_id = task_id;
    tasks->initial_frame = frame;
  }
  LiveParallel* parallel = parallels.Insert(parallel_id);
  if (parallel == nullptr) return;
  parallel->data.value = 0;
  parallel->encountering = this_thread;
  parallel->begun.store(0, std::memory_order_relaxed);
  NumberedTask* task = tasks->Top();
  const int by =
      invoker == ompt_parallel_invoker_program ? ompt_parallel_invoker_program : ompt_parallel_invoker_runtime;
  Tell<ompt_callback_parallel_begin_t>(ompt_callback_parallel_begin,
                                       task != nullptr ? &task->word : &tasks->initial_word, nullptr, &parallel->data,
                                       requested, by | ompt_parallel_team, CallSite(function));
}

void OnParallelEnd(Id parallel_id, Id, int) {
  NumberedTasks* tasks = TasksHere();
  if (tasks == nullptr) return;
  NumberedTask* top = tasks->Top();
  if (top != nullptr && top->IsImplicit() && top->parallel_id == parallel_id) EndImplicit(tasks);
  LiveParallel* parallel = parallels.Find(parallel_id);
  if (parallel == nullptr) return;
  ompt_data_t data = parallel->data;
  Tell<ompt_callback_parallel_end_t>(ompt_callback_parallel_end, &data, nullptr, ompt_parallel_team, nullptr);
  parallels.Erase(parallel_id);
}

void OnImplicitTaskBegin(Id parallel_id, Id task_id) {
  NumberedTasks* tasks = TasksHere();
  if (tasks == nullptr) return;
  LiveParallel* parallel = parallels.Find(parallel_id);
  const bool primary = parallel != nullptr && parallel->encountering == this_thread;
  if (!primary) EndWorkersTask(tasks);
  // Nobody tells the threads' numbers. Each thread of the team gets another number.
  const uint32_t number =
      primary ? 0 : 1 + (parallel != nullptr ? parallel->begun.fetch_add(1, std::memory_order_relaxed) : 0);
  if (!primary) tasks->depth = 0;  // a worker has no other task
  const int size = spoken.get_parallel_team_size != nullptr ? spoken.get_parallel_team_size(0) : 0;
  NumberedTask* task = tasks->Next();
  if (task == nullptr) return tasks->Push();
  task->id = task_id;
  task->parallel_id = parallel_id;
  task->parallel.value = parallel != nullptr ? parallel->data.value : 0;
  task->flags = ompt_task_implicit;
  task->thread_num = static_cast<int>(number);
  task->implicit_at = tasks->depth;
  task->frame = spoken.get_task_frame(0);
  tasks->Push();
  Tell<ompt_callback_implicit_task_t>(ompt_callback_implicit_task, ompt_scope_begin, &task->parallel, &task->word,
                                      size > 0 ? static_cast<unsigned int>(size) : number + 1, number,
                                      ompt_task_implicit);
}

// Before or after the barrier at the region's end. The rest of the collector hears of it at parallel_end, or when the
// worker is next needed.
void OnImplicitTaskEnd(Id, Id) {
  NumberedTasks* tasks = TasksHere();
  NumberedTask* top = tasks != nullptr ? tasks->Top() : nullptr;
  if (top != nullptr && top->IsImplicit()) top->ended = true;
}

// The event does not tell which barrier it is. The barrier at a region's end comes after the task's code: LLVM's
// runtimes have then told the task's end, or taken its exit frame away.
ompt_sync_region_t BarrierKind(const NumberedTask& task) {
  const tr2::Frame* frame = FrameOf(task.id, 0, task.frame);
  if (task.ended || (frame != nullptr && frame->exit_runtime_frame == nullptr))
    return ompt_sync_region_barrier_implicit_parallel;
  ompt_wait_id_t wait_id = 0;
  const OmptState state =
      spoken.get_state != nullptr ? tr2::StateOf(spoken.get_state(&wait_id)) : OmptState::kUndefined;
  if (state == OmptState::kWaitBarrierImplicit) return ompt_sync_region_barrier_implicit_workshare;
  return state == OmptState::kWaitBarrierExplicit ? ompt_sync_region_barrier_explicit : ompt_sync_region_barrier;
}

void OnBarrierBegin(Id, Id) {
  NumberedTasks* tasks = TasksHere();
  NumberedTask* top = tasks != nullptr ? tasks->Top() : nullptr;
  if (top == nullptr || !top->IsImplicit() || top->at_end) return;
  const ompt_sync_region_t kind = BarrierKind(*top);
  top->at_end = kind == ompt_sync_region_barrier_implicit_parallel;
  TellSync(kind, ompt_scope_begin, &top->parallel, &top->word);
}

void OnBarrierEnd(Id, Id) {
  NumberedTasks* tasks = TasksHere();
  NumberedTask* top = tasks != nullptr ? tasks->Top() : nullptr;
  if (top == nullptr || !top->IsImplicit() || (top->at_end && top->IsWorkers())) return;
  TellSync(top->at_end ? ompt_sync_region_barrier_implicit_parallel : ompt_sync_region_barrier, ompt_scope_end,
           &top->parallel, &top->word);
}

template <ompt_sync_region_t kKind, ompt_scope_endpoint_t kEndpoint>
void OnTaskSync(Id, Id) {
  NumberedTasks* tasks = TasksHere();
  if (tasks == nullptr || (tasks->depth != 0 && tasks->Top() == nullptr)) return;
  NumberedTask* top = tasks->Top();
  NumberedTask* implicit = tasks->ImplicitAround();
  TellSync(kKind, kEndpoint, implicit != nullptr ? &implicit->parallel : nullptr,
           top != nullptr ? &top->word : &tasks->initial_word);
}

void EnterExplicit(NumberedTasks* tasks, Id task_id, uint64_t site) {
  NumberedTask* outer = tasks->Top();
  NumberedTask* task = tasks->Next();
  if (task == nullptr) return tasks->Push();
  task->id = task_id;
  task->word.value = site;
  task->flags = ompt_task_explicit;
  task->frame = spoken.get_task_frame(0);
  tasks->Push();
  Tell<ompt_callback_task_schedule_t>(ompt_callback_task_schedule,
                                      outer != nullptr ? &outer->word : &tasks->initial_word, ompt_task_switch,
                                      &task->word);
}

// The document tells a task when it is created. LLVM's runtimes tell it each time it starts, on the thread that
// executes it.
void OnTaskBegin(Id, const tr2::Frame*, Id task_id, const void* function) {
  ompt_data_t word{reinterpret_cast<uint64_t>(SiteIn(function))};
  const bool starts = spoken.get_task_id(0) == task_id;
  if (starts && this_thread != nullptr)
    Add(&this_thread->tasks.events[ompt_callback_task_create], 1);
  else
    Tell<ompt_callback_task_create_t>(ompt_callback_task_create, nullptr, nullptr, &word, ompt_task_explicit, 0,
                                      SiteIn(function));
  if (uint64_t* site = task_sites.Insert(task_id)) *site = word.value;
  NumberedTasks* tasks = starts ? TasksHere() : nullptr;
  if (tasks != nullptr) EnterExplicit(tasks, task_id, word.value);
}

void LeaveExplicit(NumberedTasks* tasks) {
  NumberedTask* task = tasks->Top();
  NumberedTask* below = tasks->Below();
  // Like the end of the task, if it goes on later.
  Tell<ompt_callback_task_schedule_t>(ompt_callback_task_schedule, &task->word, ompt_task_complete,
                                      below != nullptr ? &below->word : &tasks->initial_word);
  tasks->Pop();
}

void OnTaskEnd(Id task_id) {
  NumberedTasks* tasks = TasksHere();
  NumberedTask* top = tasks != nullptr ? tasks->Top() : nullptr;
  if (top != nullptr && !top->IsImplicit() && top->id == task_id) LeaveExplicit(tasks);
  task_sites.Erase(task_id);
}

// A thread goes into a task, or back to the task that it had left. LLVM's runtimes tell the way back before the end of
// the inner task, the document after it. An implicit task may have lost its number by then.
void OnTaskSwitch(Id, Id resumed_id) {
  NumberedTasks* tasks = TasksHere();
  if (tasks == nullptr) return;
  if (tasks->depth > NumberedTasks::kMost) {
    // Of the tasks that are not kept, nothing tells them apart. The thread is back in the last that is kept.
    if (tasks->tasks[NumberedTasks::kMost - 1].id == resumed_id) tasks->depth = NumberedTasks::kMost;
    return;
  }
  NumberedTask* top = tasks->Top();
  if (top != nullptr && top->id == resumed_id) return;
  NumberedTask* below = tasks->Below();
  const uint64_t* site = below != nullptr && below->id == resumed_id ? nullptr : task_sites.Find(resumed_id);
  if (site != nullptr) return EnterExplicit(tasks, resumed_id, *site);
  if (top != nullptr && !top->IsImplicit()) LeaveExplicit(tasks);
}

template <ompt_mutex_t kKind>
void OnMutexWait(ompt_wait_id_t wait_id) {
  Tell<ompt_callback_mutex_acquire_t>(ompt_callback_mutex_acquire, kKind, 0u, 0u, wait_id, nullptr);
}
template <ompt_callbacks_t kEvent, ompt_mutex_t kKind>
void OnMutex(ompt_wait_id_t wait_id) {
  Tell<ompt_callback_mutex_t>(kEvent, kKind, wait_id, nullptr);
}
template <ompt_scope_endpoint_t kEndpoint>
void OnNestLock(ompt_wait_id_t wait_id) {
  Tell<ompt_callback_nest_lock_t>(ompt_callback_nest_lock, kEndpoint, wait_id, nullptr);
}
// The place that makes a lock names the lock. No later event could find the place.
template <ompt_mutex_t kKind>
void OnLockInit(ompt_wait_id_t wait_id) {
  const uint64_t place = MayLook(this_thread) ? CallerHere(this_thread) : 0;
  Tell<ompt_callback_mutex_acquire_t>(ompt_callback_lock_init, kKind, 0u, 0u, wait_id,
                                      reinterpret_cast<const void*>(place));
}

template <ompt_work_t kKind, ompt_scope_endpoint_t kEndpoint>
void OnWork(Id, Id, const void* function) {
  NumberedTasks* tasks = TasksHere();
  NumberedTask* implicit = tasks != nullptr ? tasks->ImplicitAround() : nullptr;
  if (implicit == nullptr) return;
  // The events that end a construct, and those of threads that a single construct passes over, have two arguments.
  const bool has_function = kEndpoint == ompt_scope_begin && kKind != ompt_work_single_other;
  Tell<ompt_callback_work_t>(ompt_callback_work, kKind, kEndpoint, &implicit->parallel, &implicit->word, uint64_t{1},
                             has_function ? SiteIn(function) : nullptr);
}

void OnControl(uint64_t command, uint64_t modifier) {
  if (auto callback = reinterpret_cast<ompt_callback_control_tool_t>(spoken.heard[ompt_callback_control_tool]))
    callback(command, modifier, nullptr, nullptr);
}

void OnRuntimeShutdown() { spoken.finalize(); }

// An event of the generation, and the event of OpenMP 5.x that it becomes.
struct Translation {
  Event event;
  ompt_callbacks_t becomes;
  ompt_callback_t callback;
};

template <typename Function>
ompt_callback_t Erase(Function* function) {
  return reinterpret_cast<ompt_callback_t>(function);
}

// Registered whatever the collector asks for: they tell the tasks of each thread.
const Translation kOfTasks[] = {
    {Event::kThreadBegin, ompt_callback_thread_begin, Erase(OnThreadBegin)},
    {Event::kThreadEnd, ompt_callback_thread_end, Erase(OnThreadEnd)},
    {Event::kParallelBegin, ompt_callback_parallel_begin, Erase(OnParallelBegin)},
    {Event::kParallelEnd, ompt_callback_parallel_end, Erase(OnParallelEnd)},
    {Event::kImplicitTaskBegin, ompt_callback_implicit_task, Erase(OnImplicitTaskBegin)},
    {Event::kImplicitTaskEnd, ompt_callback_implicit_task, Erase(OnImplicitTaskEnd)},
    {Event::kTaskBegin, ompt_callback_task_create, Erase(OnTaskBegin)},
    {Event::kTaskEnd, ompt_callback_task_schedule, Erase(OnTaskEnd)},
    {Event::kTaskSwitch, ompt_callback_task_schedule, Erase(OnTaskSwitch)},
};

#define OMPPROF_TASK_SYNC(name, kind, endpoint) \
  { Event::name, ompt_callback_sync_region_wait, Erase(OnTaskSync<kind, endpoint>) }
#define OMPPROF_WORK(name, kind, endpoint) \
  { Event::name, ompt_callback_work, Erase(OnWork<kind, endpoint>) }
#define OMPPROF_MUTEX(name, event, kind) \
  { Event::name, event, Erase(OnMutex<event, kind>) }
const Translation kOthers[] = {
    {Event::kWaitLock, ompt_callback_mutex_acquire, Erase(OnMutexWait<ompt_mutex_lock>)},
    {Event::kWaitNestLock, ompt_callback_mutex_acquire, Erase(OnMutexWait<ompt_mutex_nest_lock>)},
    {Event::kWaitCritical, ompt_callback_mutex_acquire, Erase(OnMutexWait<ompt_mutex_critical>)},
    {Event::kWaitAtomic, ompt_callback_mutex_acquire, Erase(OnMutexWait<ompt_mutex_atomic>)},
    {Event::kWaitOrdered, ompt_callback_mutex_acquire, Erase(OnMutexWait<ompt_mutex_ordered>)},
    OMPPROF_MUTEX(kAcquiredLock, ompt_callback_mutex_acquired, ompt_mutex_lock),
    OMPPROF_MUTEX(kAcquiredNestLockFirst, ompt_callback_mutex_acquired, ompt_mutex_nest_lock),
    OMPPROF_MUTEX(kAcquiredCritical, ompt_callback_mutex_acquired, ompt_mutex_critical),
    OMPPROF_MUTEX(kAcquiredAtomic, ompt_callback_mutex_acquired, ompt_mutex_atomic),
    OMPPROF_MUTEX(kAcquiredOrdered, ompt_callback_mutex_acquired, ompt_mutex_ordered),
    OMPPROF_MUTEX(kReleaseLock, ompt_callback_mutex_released, ompt_mutex_lock),
    OMPPROF_MUTEX(kReleaseNestLockLast, ompt_callback_mutex_released, ompt_mutex_nest_lock),
    OMPPROF_MUTEX(kReleaseCritical, ompt_callback_mutex_released, ompt_mutex_critical),
    OMPPROF_MUTEX(kReleaseAtomic, ompt_callback_mutex_released, ompt_mutex_atomic),
    OMPPROF_MUTEX(kReleaseOrdered, ompt_callback_mutex_released, ompt_mutex_ordered),
    {Event::kAcquiredNestLockNext, ompt_callback_nest_lock, Erase(OnNestLock<ompt_scope_begin>)},
    {Event::kReleaseNestLockPrev, ompt_callback_nest_lock, Erase(OnNestLock<ompt_scope_end>)},
    {Event::kInitLock, ompt_callback_lock_init, Erase(OnLockInit<ompt_mutex_lock>)},
    {Event::kInitNestLock, ompt_callback_lock_init, Erase(OnLockInit<ompt_mutex_nest_lock>)},
    OMPPROF_MUTEX(kDestroyLock, ompt_callback_lock_destroy, ompt_mutex_lock),
    OMPPROF_MUTEX(kDestroyNestLock, ompt_callback_lock_destroy, ompt_mutex_nest_lock),
    OMPPROF_WORK(kLoopBegin, ompt_work_loop, ompt_scope_begin),
    OMPPROF_WORK(kLoopEnd, ompt_work_loop, ompt_scope_end),
    OMPPROF_WORK(kSectionsBegin, ompt_work_sections, ompt_scope_begin),
    OMPPROF_WORK(kSectionsEnd, ompt_work_sections, ompt_scope_end),
    OMPPROF_WORK(kSingleInBlockBegin, ompt_work_single_executor, ompt_scope_begin),
    OMPPROF_WORK(kSingleInBlockEnd, ompt_work_single_executor, ompt_scope_end),
    OMPPROF_WORK(kSingleOthersBegin, ompt_work_single_other, ompt_scope_begin),
    OMPPROF_WORK(kSingleOthersEnd, ompt_work_single_other, ompt_scope_end),
    OMPPROF_WORK(kWorkshareBegin, ompt_work_workshare, ompt_scope_begin),
    OMPPROF_WORK(kWorkshareEnd, ompt_work_workshare, ompt_scope_end),
    {Event::kControl, ompt_callback_control_tool, Erase(OnControl)},
};

// Waits. The events of whole constructs come first. A runtime without them may tell the waiting alone, perhaps in
// several pieces.
struct SyncEvents {
  Translation begin, end, wait_begin, wait_end;
};
const SyncEvents kSyncs[] = {
    {{Event::kBarrierBegin, ompt_callback_sync_region_wait, Erase(OnBarrierBegin)},
     {Event::kBarrierEnd, ompt_callback_sync_region_wait, Erase(OnBarrierEnd)},
     {Event::kWaitBarrierBegin, ompt_callback_sync_region_wait, Erase(OnBarrierBegin)},
     {Event::kWaitBarrierEnd, ompt_callback_sync_region_wait, Erase(OnBarrierEnd)}},
    {OMPPROF_TASK_SYNC(kTaskwaitBegin, ompt_sync_region_taskwait, ompt_scope_begin),
     OMPPROF_TASK_SYNC(kTaskwaitEnd, ompt_sync_region_taskwait, ompt_scope_end),
     OMPPROF_TASK_SYNC(kWaitTaskwaitBegin, ompt_sync_region_taskwait, ompt_scope_begin),
     OMPPROF_TASK_SYNC(kWaitTaskwaitEnd, ompt_sync_region_taskwait, ompt_scope_end)},
};

// A taskgroup has a body, which is work: the events of the whole construct do not tell the waiting.
const Translation kTaskgroupWaits[] = {
    OMPPROF_TASK_SYNC(kWaitTaskgroupBegin, ompt_sync_region_taskgroup, ompt_scope_begin),
    OMPPROF_TASK_SYNC(kWaitTaskgroupEnd, ompt_sync_region_taskgroup, ompt_scope_end),
};
#undef OMPPROF_MUTEX
#undef OMPPROF_WORK
#undef OMPPROF_TASK_SYNC

bool Occurs(ompt_set_result_t result) { return result == ompt_set_sometimes || result == ompt_set_always; }

ompt_set_result_t Register(const Translation& translation) {
  return tr2::ResultOf(spoken.set_callback(translation.event, translation.callback));
}

// The answer for an event of OpenMP 5.x that several events become: "always" if all of them always come.
class Answer {
 public:
  void Add(ompt_set_result_t result) {
    occurs_ |= Occurs(result);
    always_ &= result == ompt_set_always;
    if (first_) other_ = result;
    first_ = false;
  }
  ompt_set_result_t result() const {
    if (first_) return ompt_set_never;
    if (!occurs_) return other_;
    return always_ ? ompt_set_always : ompt_set_sometimes;
  }

 private:
  bool first_ = true;
  bool occurs_ = false;
  bool always_ = true;
  ompt_set_result_t other_ = ompt_set_never;
};

void RegisterWaits(Answer* answer) {
  for (const SyncEvents& sync : kSyncs) {
    const ompt_set_result_t whole = Register(sync.begin);
    if (Occurs(whole) && Occurs(Register(sync.end))) {
      answer->Add(whole);
      continue;
    }
    answer->Add(Register(sync.wait_begin));
    answer->Add(Register(sync.wait_end));
  }
  for (const Translation& one : kTaskgroupWaits) answer->Add(Register(one));
}

ompt_set_result_t SetCallback(ompt_callbacks_t event, ompt_callback_t callback) {
  spoken.heard[event] = callback;
  Answer answer;
  for (const Translation& one : kOfTasks) {
    if (one.becomes == event) answer.Add(spoken.results[one.event]);
  }
  for (const Translation& one : kOthers) {
    if (one.becomes == event) answer.Add(Register(one));
  }
  if (event == ompt_callback_sync_region_wait) RegisterWaits(&answer);
  return answer.result();
}

// The entry points. All but the enumeration are called in the handler.

// Standard states have the names of OpenMP 5.x, which reports know.
int EnumerateStates(int, int*, const char**) { return 0; }

// A worker that is idle before its region has ended waits for the rest of its team.
int GetState(ompt_wait_id_t* wait_id) {
  OmptState state = tr2::StateOf(spoken.get_state(wait_id));
  if (state == OmptState::kIdle && this_thread != nullptr && this_thread->tasks.numbered != nullptr) {
    const NumberedTask* top = this_thread->tasks.numbered->Top();
    if (top != nullptr && top->IsWorkers() && top->at_end && LiveRegion(top->parallel.value) != nullptr)
      state = OmptState::kWaitBarrierImplicitParallel;
  }
  return static_cast<int>(state);
}

int GetTaskInfo(int level, int* flags, ompt_data_t** data, ompt_frame_t** frame, ompt_data_t** parallel,
                int* thread_num) {
  NumberedTasks* tasks = this_thread != nullptr ? this_thread->tasks.numbered : nullptr;
  if (tasks == nullptr || level < 0) return 0;
  int not_asked_for;
  if (thread_num == nullptr) thread_num = &not_asked_for;
  const uint32_t kept = tasks->kept();
  const auto above = static_cast<uint32_t>(level);
  const tr2::Frame* found = nullptr;
  *parallel = nullptr;
  *thread_num = 0;
  if (above < kept) {
    NumberedTask* task = &tasks->tasks[kept - 1 - above];
    // After the task's code, its frames belong to nobody.
    found = task->ended ? nullptr : FrameOf(task->id, level, task->frame);
    *flags = task->flags;
    *data = &task->word;
    if (task->IsImplicit()) *parallel = &task->parallel;
    *thread_num = task->thread_num;
  } else {
    if (above > kept || this_thread->tasks.worker_of != 0) return 0;
    found = kept != 0 ? FrameOf(tasks->initial_id, level, tasks->initial_frame) : spoken.get_task_frame(0);
    *flags = ompt_task_initial;
    *data = &tasks->initial_word;
  }
  // ReadFrame knows that this is a frame of the generation.
  *frame = reinterpret_cast<ompt_frame_t*>(const_cast<tr2::Frame*>(found));
  return 2;
}

int GetParallelInfo(int level, ompt_data_t** parallel, int* team_size) {
  NumberedTasks* tasks = this_thread != nullptr ? this_thread->tasks.numbered : nullptr;
  NumberedTask* implicit = tasks != nullptr && level == 0 ? tasks->ImplicitAround() : nullptr;
  if (implicit == nullptr) return 0;
  *parallel = &implicit->parallel;
  *team_size = spoken.get_parallel_team_size != nullptr ? spoken.get_parallel_team_size(0) : 0;
  return 2;
}

// The bounds of the runtime's code tell where a task enters the runtime. LLVM's runtimes tell this by the user's frame
// pointer, which optimized code uses for other values. So the frame is used only where the runtime is a part of the
// program.
ompt_frame_t ReadFrame(const ompt_frame_t* frame) {
  tr2::Frame said;
  __builtin_memcpy(&said, static_cast<const void*>(frame), sizeof said);
  ompt_frame_t result;
  result.exit_frame.ptr = said.exit_runtime_frame;
  result.exit_frame_flags = ompt_frame_runtime | ompt_frame_framepointer;
  result.enter_frame.ptr = spoken.linked_in ? said.reenter_runtime_frame : nullptr;
  result.enter_frame_flags =
      (spoken.reenters_as_runtime ? ompt_frame_runtime : ompt_frame_application) | ompt_frame_framepointer;
  return result;
}

}  // namespace

void BindTr2(ompt_function_lookup_t lookup, bool reenters_as_runtime, void (*finalize)(), EntryPoints* entry_points) {
  spoken = {};
  *entry_points = {};
  Bind(lookup, "ompt_set_callback", &spoken.set_callback);
  Bind(lookup, "ompt_get_state", &spoken.get_state);
  Bind(lookup, "ompt_get_task_id", &spoken.get_task_id);
  Bind(lookup, "ompt_get_task_frame", &spoken.get_task_frame);
  Bind(lookup, "ompt_get_parallel_team_size", &spoken.get_parallel_team_size);
  // The inquiry functions are mandatory (spec 003, 1.1.2).
  if (spoken.set_callback == nullptr || spoken.get_task_frame == nullptr || spoken.get_task_id == nullptr) return;
  spoken.finalize = finalize;
  spoken.reenters_as_runtime = reenters_as_runtime;
  spoken.linked_in = IsInProgram(reinterpret_cast<uintptr_t>(spoken.set_callback));
  for (const Translation& one : kOfTasks) spoken.results[one.event] = Register(one);
  spoken.set_callback(Event::kRuntimeShutdown, Erase(OnRuntimeShutdown));
  if (!Occurs(spoken.results[Event::kImplicitTaskBegin]))
    AddNote(
        "the OpenMP runtime tells no implicit tasks: the work of its workers has no call path from main, and waits are "
        "not measured");
  TasksAreMadeUnseen();
  entry_points->set_callback = SetCallback;
  entry_points->enumerate_states = EnumerateStates;
  entry_points->get_state = spoken.get_state != nullptr ? GetState : nullptr;
  entry_points->get_task_info = GetTaskInfo;
  entry_points->get_parallel_info = GetParallelInfo;
  entry_points->read_frame = ReadFrame;
}

}  // namespace ompprof::collect
