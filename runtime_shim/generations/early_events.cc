#include "runtime_shim/generations/early_events.h"

#include <stdint.h>

#include <atomic>

#include "runtime_shim/generations/early_inquiry.h"
#include "runtime_shim/generations/early_values.h"
#include "runtime_shim/ompt/thread.h"

namespace gomp_ompt {
namespace early {
namespace {

ompt_set_callback_t set_callback_of_five;

// The older tool's callbacks.
std::atomic<ompt_callback_t> callbacks[kEvents];

// Calls the older tool's callback, if it has one for the event. The types must be those of the callback.
template <typename... Arguments>
void Tell(Event event, Arguments... arguments) {
  const ompt_callback_t callback = callbacks[event].load(std::memory_order_relaxed);
  if (callback != nullptr) reinterpret_cast<void (*)(Arguments...)>(callback)(arguments...);
}

// ompt_parallel_callback_t.
void TellTask(Event event, uint64_t region, uint64_t task) { Tell<uint64_t, uint64_t>(event, region, task); }

void* Pointer(void (*function)(void*)) { return reinterpret_cast<void*>(function); }

// The id of the region that a task's event is in. An implicit task keeps it: OpenMP 5.1 no longer tells the region
// where the barrier at its end, and the task itself, end.
uint64_t RegionIdAt(ompt_data_t* region, ompt_data_t* task) {
  const bool is_implicit = (TaskOf(task)->flags & ompt_task_implicit) != 0;
  if (region == nullptr) return is_implicit ? TaskOf(task)->region_id : 0;
  const uint64_t id = RegionIdOf(region);
  if (is_implicit) TaskOf(task)->region_id = id;
  return id;
}

// The callbacks of the tool in front.

void OnThreadBegin(ompt_thread_t kind, ompt_data_t* thread) {
  Tell<int, uint64_t>(kThreadBegin, ThreadTypeOf(kind), ThreadIdOf(thread));
}

void OnThreadEnd(ompt_data_t* thread) {
  Tell<int, uint64_t>(kThreadEnd, ThreadTypeOf(this_thread.kind), ThreadIdOf(thread));
}

void OnParallelBegin(ompt_data_t* task, const ompt_frame_t* frame, ompt_data_t* region, unsigned requested, int flags,
                     const void*) {
  if ((flags & ompt_parallel_league) != 0) return;  // the report has no teams constructs
  Frame converted = ConvertFrame(*frame);
  Tell<uint64_t, Frame*, uint64_t, uint32_t, void*, int>(kParallelBegin, IdOf(task), &converted, IdOf(region),
                                                         requested, Pointer(RegionOf(region)->function),
                                                         InvokerOf(flags));
}

void OnParallelEnd(ompt_data_t* region, ompt_data_t* task, int flags, const void*) {
  if ((flags & ompt_parallel_league) != 0) return;
  Tell<uint64_t, uint64_t, int>(kParallelEnd, IdOf(region), IdOf(task), InvokerOf(flags));
}

// A taskwait with dependences is a task in OpenMP 5.1. The report has no such construct, but it has its wait. With
// nowait, nobody waits.
bool Waits(int taskwait_flags) { return (taskwait_flags & ompt_task_undeferred) != 0; }

void TellTaskwait(ompt_scope_endpoint_t endpoint, Task* task) {
  const uint64_t region = RegionIdAt(&task->parallel->data, &task->data);
  const uint64_t id = IdOf(&task->data);
  const bool is_begin = endpoint == ompt_scope_begin;
  TellTask(is_begin ? kTaskwaitBegin : kWaitTaskwaitEnd, region, id);
  TellTask(is_begin ? kWaitTaskwaitBegin : kTaskwaitEnd, region, id);
}

// The function that a task executes. NULL for a target task without code of the program.
void* FunctionOf(const Task* task) {
  if ((task->flags & ompt_task_target) == 0) return Pointer(task->function);
  return task->target != nullptr ? Pointer(task->target->function) : nullptr;
}

void OnTaskCreate(ompt_data_t* task, const ompt_frame_t* frame, ompt_data_t* created, int flags, int, const void*) {
  if ((flags & ompt_task_taskwait) != 0) {
    if (Waits(flags)) TellTaskwait(ompt_scope_begin, TaskOf(task));
    return;
  }
  Frame converted = ConvertFrame(*frame);
  Tell<uint64_t, Frame*, uint64_t, void*>(kTaskBegin, IdOf(task), &converted, IdOf(created),
                                          FunctionOf(TaskOf(created)));
}

// The thread has suspended one task and resumes another. If the suspended task has ended, the tool hears no id.
void TellSwitch(ompt_data_t* suspended, bool has_ended, ompt_data_t* resumed) {
  const InResumedTask in_resumed(TaskOf(suspended), TaskOf(resumed));
  Tell<uint64_t, uint64_t>(kTaskSwitch, has_ended ? 0 : IdOf(suspended), IdOf(resumed));
}

void OnTaskSchedule(ompt_data_t* prior, ompt_task_status_t status, ompt_data_t* next) {
  const bool is_discarded = status == ompt_task_cancel && this_thread.current != TaskOf(prior);  // it never ran
  switch (status) {
    case ompt_taskwait_complete:
      if (Waits(TaskOf(prior)->flags)) TellTaskwait(ompt_scope_end, this_thread.current);
      return;
    case ompt_task_early_fulfill:
      return;  // the task still runs
    case ompt_task_complete:
    case ompt_task_cancel:
    case ompt_task_late_fulfill:
      Tell<uint64_t>(kTaskEnd, IdOf(prior));
      if (next != nullptr && !is_discarded) TellSwitch(prior, true, next);
      return;
    default:
      return TellSwitch(prior, false, next);
  }
}

void OnImplicitTask(ompt_scope_endpoint_t endpoint, ompt_data_t* region, ompt_data_t* task, unsigned, unsigned,
                    int flags) {
  if ((flags & ompt_task_initial) == 0)
    return TellTask(At(endpoint, kImplicitTaskBegin), RegionIdAt(region, task), IdOf(task));
  // The report's callback has one argument, the task's id. LLVM's header has a region's id before that. The region
  // around an initial task is no region for the tool, so the task's id serves for both.
  TellTask(At(endpoint, kInitialTaskBegin), IdOf(task), IdOf(task));
}

int OnControlTool(uint64_t command, uint64_t modifier, void*, const void*) {
  Tell<uint64_t, uint64_t>(kControl, command, modifier);
  return 0;
}

void OnSyncRegion(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t* region, ompt_data_t* task,
                  const void*) {
  TellTask(At(endpoint, SyncEventsOf(kind).region), RegionIdAt(region, task), IdOf(task));
}

void OnSyncRegionWait(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t* region, ompt_data_t* task,
                      const void*) {
  TellTask(At(endpoint, SyncEventsOf(kind).wait), RegionIdAt(region, task), IdOf(task));
}

void OnWork(ompt_work_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t* region, ompt_data_t* task, uint64_t,
            const void*) {
  const Event event = At(endpoint, WorkEventOf(kind));
  const uint64_t region_id = RegionIdAt(region, task);
  if (endpoint == ompt_scope_end || kind == ompt_work_single_other) return TellTask(event, region_id, IdOf(task));
  Tell<uint64_t, uint64_t, void*>(event, region_id, IdOf(task), Pointer(RegionOf(region)->function));
}

void OnMutexAcquire(ompt_mutex_t kind, unsigned, unsigned, ompt_wait_id_t wait_id, const void*) {
  // The routines that test a lock do not wait for it.
  if (kind == ompt_mutex_test_lock || kind == ompt_mutex_test_nest_lock) return;
  Tell<uint64_t>(MutexEventsOf(kind).wait, wait_id);
}

void OnMutexAcquired(ompt_mutex_t kind, ompt_wait_id_t wait_id, const void*) {
  Tell<uint64_t>(MutexEventsOf(kind).acquired, wait_id);
}

void OnMutexReleased(ompt_mutex_t kind, ompt_wait_id_t wait_id, const void*) {
  Tell<uint64_t>(MutexEventsOf(kind).released, wait_id);
}

void OnLockInit(ompt_mutex_t kind, unsigned, unsigned, ompt_wait_id_t wait_id, const void*) {
  Tell<uint64_t>(MutexEventsOf(kind).init, wait_id);
}

void OnLockDestroy(ompt_mutex_t kind, ompt_wait_id_t wait_id, const void*) {
  Tell<uint64_t>(MutexEventsOf(kind).destroy, wait_id);
}

void OnNestLock(ompt_scope_endpoint_t endpoint, ompt_wait_id_t wait_id, const void*) {
  Tell<uint64_t>(endpoint == ompt_scope_begin ? kAcquiredNestLockNext : kReleaseNestLockPrev, wait_id);
}

template <class... Events>
constexpr uint64_t Bits(Events... events) {
  return (... | (uint64_t{1} << events));
}

// From the first event to the last.
constexpr uint64_t Range(Event first, Event last) { return Bits(last) * 2 - Bits(first); }

constexpr uint64_t kTaskwaits = Range(kWaitTaskwaitBegin, kWaitTaskwaitEnd) | Range(kTaskwaitBegin, kTaskwaitEnd);

// A callback of the tool in front, and the older events that it tells.
struct Row {
  ompt_callbacks_t five;
  ompt_callback_t function;
  uint64_t events;
};

template <typename Function>
ompt_callback_t Erase(Function* function) {
  return reinterpret_cast<ompt_callback_t>(function);
}

const Row kRows[] = {
    {ompt_callback_thread_begin, Erase(OnThreadBegin), Bits(kThreadBegin)},
    {ompt_callback_thread_end, Erase(OnThreadEnd), Bits(kThreadEnd)},
    {ompt_callback_parallel_begin, Erase(OnParallelBegin), Bits(kParallelBegin)},
    {ompt_callback_parallel_end, Erase(OnParallelEnd), Bits(kParallelEnd)},
    {ompt_callback_task_create, Erase(OnTaskCreate), Bits(kTaskBegin) | kTaskwaits},
    {ompt_callback_task_schedule, Erase(OnTaskSchedule), Bits(kTaskEnd, kTaskSwitch) | kTaskwaits},
    {ompt_callback_implicit_task, Erase(OnImplicitTask), Range(kImplicitTaskBegin, kInitialTaskEnd)},
    {ompt_callback_control_tool, Erase(OnControlTool), Bits(kControl)},
    {ompt_callback_sync_region, Erase(OnSyncRegion), Range(kBarrierBegin, kTaskgroupEnd)},
    {ompt_callback_sync_region_wait, Erase(OnSyncRegionWait), Range(kWaitBarrierBegin, kWaitTaskgroupEnd)},
    {ompt_callback_work, Erase(OnWork), Range(kLoopBegin, kWorkshareEnd)},
    {ompt_callback_mutex_acquire, Erase(OnMutexAcquire), Range(kWaitLock, kWaitOrdered)},
    {ompt_callback_mutex_acquired, Erase(OnMutexAcquired),
     Range(kAcquiredLock, kAcquiredOrdered) & ~Bits(kAcquiredNestLockNext)},
    {ompt_callback_mutex_released, Erase(OnMutexReleased), Range(kReleaseLock, kReleaseOrdered)},
    {ompt_callback_nest_lock, Erase(OnNestLock), Bits(kAcquiredNestLockNext, kReleaseNestLockPrev)},
    {ompt_callback_lock_init, Erase(OnLockInit), Bits(kInitLock, kInitNestLock)},
    {ompt_callback_lock_destroy, Erase(OnLockDestroy), Bits(kDestroyLock, kDestroyNestLock)},
};

bool IsHeard(uint64_t events) {
  for (int event = kNoEvent + 1; event < kEvents; event++)
    if ((events & Bits(event)) != 0 && callbacks[event].load(std::memory_order_relaxed) != nullptr) return true;
  return false;
}

}  // namespace

void BindEvents(ompt_set_callback_t set_callback) {
  set_callback_of_five = set_callback;
  for (auto& callback : callbacks) callback.store(nullptr, std::memory_order_relaxed);
}

int SetCallback(int number, ompt_callback_t callback) {
  if (number <= kNoEvent || number >= kEvents || !HasTool()) return kSetError;
  const auto event = static_cast<Event>(number);
  const SetResult result = ResultOf(event);
  if (result == kSetImpossible) return result;
  callbacks[event].store(callback, std::memory_order_relaxed);
  for (const Row& row : kRows)
    if ((row.events & Bits(event)) != 0) set_callback_of_five(row.five, IsHeard(row.events) ? row.function : nullptr);
  return result;
}

int GetCallback(int event, ompt_callback_t* callback) {
  if (event <= kNoEvent || event >= kEvents) return 0;
  const ompt_callback_t found = callbacks[event].load(std::memory_order_relaxed);
  if (found != nullptr) *callback = found;
  return found != nullptr;
}

void TellShutdown() { Tell<>(kRuntimeShutdown); }

}  // namespace early
}  // namespace gomp_ompt
