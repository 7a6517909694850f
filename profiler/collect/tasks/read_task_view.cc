#include "profiler/collect/tasks/read_task_view.h"

#include <omp-tools.h>
#include <stddef.h>

#include "profiler/collect/base/tick_clock.h"
#include "profiler/collect/blame/wait_state.h"
#include "profiler/collect/quirks/libomp.h"
#include "profiler/collect/quirks/libomptarget.h"
#include "profiler/collect/tasks/current_task.h"
#include "profiler/collect/tasks/entry_points.h"
#include "profiler/collect/thread/session.h"
#include "profiler/collect/thread/thread_state.h"
#include "proto/ompt_state.h"

namespace ompprof::collect {

std::atomic<bool> target_tasks_seen{false};

namespace {

// The marker of an explicit task. task_create left a value in the task's data word (see callbacks.cc): a site, or with
// the top bit a node. Without a value, the site is not known.
NodeKey TaskMarker(const ompt_data_t* data, bool undeferred) {
  constexpr uint64_t kIsNode = 1ull << 63;
  const uint64_t value = data != nullptr ? data->value : 0;
  if (undeferred) return MakeKey((value & kIsNode) != 0 ? 0 : value, fields::kNodeUndeferredTask);
  if ((value & kIsNode) != 0) return MakeKey(value & ~kIsNode, fields::kNodeTaskContext);
  return MakeKey(value, fields::kNodeExplicitTask);
}

// The wait that the callbacks have announced, where the runtime's state is vaguer; otherwise the runtime's state.
OmptState RefinedState(const ThreadState& thread, OmptState state) {
  if (thread.locks.wanted_kind != 0) return MutexWaitState(thread.locks.wanted_kind);
  if (!IsBarrier(state) && state != OmptState::kWorkParallel && state != OmptState::kWorkSerial &&
      state != OmptState::kOverhead && !IsTaskWait(state))
    return state;
  const OmptState waiting = SyncRegionState(thread.waiting.stack.kind());
  return waiting != OmptState::kNone ? waiting : state;
}

// A task from ompt_get_task_info.
struct Task {
  int flags = 0;
  int thread_num = 0;
  ompt_data_t* data = nullptr;
  ompt_data_t* parallel_data = nullptr;
  ompt_frame_t* frame = nullptr;
  RegionRef begun_region = 0;  // instead of the region of parallel_data; 0: that is right

  bool IsTarget() const { return (flags & ompt_task_target) != 0; }
  bool IsExplicit() const { return (flags & (ompt_task_explicit | ompt_task_target)) != 0; }
  bool IsImplicit() const { return !IsExplicit() && (flags & ompt_task_implicit) != 0; }
  // The value that parallel_begin left: a region, one of the special teams, or 0.
  RegionRef Region() const {
    if (begun_region != 0) return begun_region;
    return parallel_data != nullptr ? parallel_data->value : 0;
  }
};

enum class Answer : uint8_t { kTask, kNone, kNoFuel };

// `thread_num`: where the thread's number goes; NULL: see EntryPoints::takes_null.
Answer AskForTask(const EntryPoints& ompt, int depth, Fuel* fuel, Task* task, int* thread_num) {
  if (!fuel->Take(Cut::kTasks, Fuel::Query(depth))) return Answer::kNoFuel;
  *task = {};
  const int found =
      ompt.get_task_info(depth, &task->flags, &task->data, &task->frame, &task->parallel_data, thread_num);
  libomp::ClearIfNearNull(&task->data);
  libomp::ClearIfNearNull(&task->frame);
  libomp::ClearIfNearNull(&task->parallel_data);
  if (!libomp::HasParallelData(task->flags)) task->parallel_data = nullptr;
  return found == 2 ? Answer::kTask : Answer::kNone;
}

// The task at `first` and the tasks around it are explicit. Returns the depth of the last of them; -1 if the fuel does
// not last that far. To reach a task, runtimes go through all tasks within it. So with very many tasks, not each task
// is asked for. A region within a task, with more tasks around it, may then be missed.
int OutermostExplicit(const EntryPoints& ompt, int first, Fuel* fuel) {
  bool dry = false;
  const auto is_explicit = [&](int depth) {
    Task task;
    const Answer answer = AskForTask(ompt, depth, fuel, &task, ompt.takes_null ? nullptr : &task.thread_num);
    dry = answer == Answer::kNoFuel;
    return answer == Answer::kTask && task.IsExplicit();
  };
  constexpr int kAllAskedFor = 32;
  int is = first;
  while (is - first < kAllAskedFor) {
    if (!is_explicit(is + 1)) return dry ? -1 : is;
    ++is;
  }
  // Each question costs more than the previous question, so the fuel ends the loop.
  int step = 1;
  for (; is_explicit(is + step); step *= 2) is += step;
  for (int is_not = is + step; is_not - is > 1 && !dry;) {
    const int middle = is + (is_not - is) / 2;
    (is_explicit(middle) ? is : is_not) = middle;
  }
  return dry ? -1 : is;
}

// The answers of one runtime.
struct RuntimeView {
  OmptState state;
  ompt_wait_id_t wait_id;
  RegionRef splice;
  uint32_t levels;
  bool region_over;
};

void SetFrames(const EntryPoints& ompt, const ompt_frame_t* frame, TaskLevel* level) {
  if (frame == nullptr) {
    level->exit_frame = level->enter_frame = 0;
    level->exit_flags = level->enter_flags = 0;
    return;
  }
  const ompt_frame_t said = ompt.read_frame != nullptr ? ompt.read_frame(frame) : *frame;
  level->exit_frame = reinterpret_cast<uintptr_t>(said.exit_frame.ptr);
  level->enter_frame = reinterpret_cast<uintptr_t>(said.enter_frame.ptr);
  level->exit_flags = said.exit_frame_flags;
  level->enter_flags = said.enter_frame_flags;
}

// Whether the chain has returned to a known task. The known tasks are the levels from `first` on. Untied tasks leave
// such circles in libomp 14: a task that continues within a task that it has scheduled is both around and within that
// task.
bool IsCircle(const TaskView& view, uint32_t first, const Task& task) {
  for (uint32_t level = first; level < view.count; ++level) {
    if (view.data_of[level] == task.data && view.frame_of[level] == task.frame && task.data != nullptr) return true;
  }
  return false;
}

// The kind of a task in a thread's chain of tasks. It tells something about the tasks around the task.
enum class TaskKind : uint8_t {
  kDeferred,
  kUndeferred,  // or merged, or a target task of these kinds: a part of the task around it
  kPrimarysImplicit,
  kWorkersImplicit,
  kTeamOfLeagues,  // an implicit task of the team in which libomp runs a league's initial task
  kInitial,        // the thread's own, or the initial task of a league or of a target region
  kKinds,
};

struct TaskTraits {
  bool implicit;        // the task has a region
  bool on_other_stack;  // the tasks around it belong to another thread
  bool chain_may_end;   // the runtime may know no task around it
  // This task has the frames, and the task around it has the creator's call. Both are one construct.
  bool half_of_construct;
};

constexpr TaskTraits kTraits[] = {
    // implicit, on_other_stack, chain_may_end, half_of_construct
    /* kDeferred */ {false, false, false, false},
    /* kUndeferred */ {false, false, false, false},
    /* kPrimarysImplicit */ {true, false, true, false},
    /* kWorkersImplicit */ {true, true, true, false},
    /* kTeamOfLeagues */ {true, false, true, true},
    /* kInitial */ {false, false, true, true},
};
static_assert(sizeof(kTraits) / sizeof(kTraits[0]) == static_cast<size_t>(TaskKind::kKinds));

const TaskTraits& TraitsOf(TaskKind kind) { return kTraits[static_cast<size_t>(kind)]; }

TaskKind KindOf(const Task& task) {
  if (task.IsExplicit()) {
    constexpr int kPartOfOuter = ompt_task_undeferred | static_cast<int>(ompt_task_merged);
    return (task.flags & kPartOfOuter) != 0 ? TaskKind::kUndeferred : TaskKind::kDeferred;
  }
  if (!task.IsImplicit()) return TaskKind::kInitial;
  if (task.thread_num != 0) return TaskKind::kWorkersImplicit;
  return task.Region() == kTeamOfLeague ? TaskKind::kTeamOfLeagues : TaskKind::kPrimarysImplicit;
}

// Adds the region of an implicit task, and the marker of the region's path. `met_region`: a task within this task has a
// region.
void AddRegion(ThreadState* thread, const Task& task, RegionRef ref, bool met_region, TaskView* view) {
  const uint32_t at = view->count;
  const bool live = MarkSampled(ref);
  view->levels[at].marker = MakeKey(live ? RegionOf(ref)->codeptr_ra : 0, fields::kNodeImplicitTask);
  if (!live) return;
  view->region_of[at] = ref;
  if (task.thread_num == 0) view->primary_of[at] = ref;
  if (met_region) return;
  thread->sampler.limits.region = ref;
  thread->sampler.limits.frame = task.frame;
}

// Corrects what the runtime says of an implicit task, by the event with which this thread began the task.
void MendImplicitTask(const ThreadState& thread, Task* task) {
  const OpenTask* begun = task->IsImplicit() ? OpenTaskOf(thread, task->data) : nullptr;
  if (begun == nullptr) return;
  task->thread_num = static_cast<int>(begun->thread_num);
  if (IsCurrent(task->Region()) && IsCurrent(begun->region)) task->begun_region = begun->region;
}

// Adds the tasks that the runtime knows. False if the tasks around the last of them could not be found out.
bool AddTasks(const EntryPoints& ompt, ThreadState* thread, bool worker, TaskView* view, RuntimeView* result) {
  Fuel* const fuel = &thread->sampler.limits.fuel;
  const uint32_t first = view->count;
  bool met_region = false;
  bool may_end = true;                   // the chain may end before the task at `depth`
  TaskKind inner = TaskKind::kDeferred;  // the kind of the previous task; none yet
  for (int depth = 0; view->count < TaskView::kMaxLevels; ++depth) {
    Task task;
    const Answer answer = AskForTask(ompt, depth, fuel, &task, &task.thread_num);
    if (answer != Answer::kTask) return met_region || (answer == Answer::kNone && may_end);
    if (inner == TaskKind::kInitial && !task.IsTarget()) return true;
    if (view->count >= TaskView::kMaxExplicit && task.IsExplicit()) {
      depth = OutermostExplicit(ompt, depth, fuel);
      if (depth < 0) return met_region;
      continue;
    }
    if (IsCircle(*view, first, task)) {
      fuel->Mark(Cut::kCircle);
      return met_region;
    }
    MendImplicitTask(*thread, &task);
    const TaskKind kind = KindOf(task);
    const uint32_t at = view->count;
    view->Clear(at);
    view->data_of[at] = task.data;
    view->frame_of[at] = task.frame;
    // A target task that the runtime deferred has a site as well.
    const bool has_data = task.data != nullptr && task.data->value != 0;
    if (task.IsExplicit() && (!task.IsTarget() || (kind == TaskKind::kDeferred && has_data)))
      view->levels[at].marker = TaskMarker(task.data, kind == TaskKind::kUndeferred);
    if (TraitsOf(kind).implicit) {
      const RegionRef said = task.Region();
      AddRegion(thread, task, inner == TaskKind::kTeamOfLeagues ? thread->tasks.league : said, met_region, view);
      met_region = true;
      if (TraitsOf(kind).on_other_stack) {
        result->splice = view->region_of[at];
        // A helper that executes a task is not idle.
        if (result->splice == 0 && worker && (said != kTeamOfHelpers || result->levels == 0))
          result->region_over = true;
      }
    }
    if (TraitsOf(inner).half_of_construct) {
      view->levels[at - 1].marker = view->levels[at].marker;
      view->primary_of[at - 1] = view->primary_of[at];
      view->levels[at].marker = 0;
      view->primary_of[at] = 0;
    }
    SetFrames(ompt, task.frame, &view->levels[at]);
    ++view->count;
    ++result->levels;
    if (TraitsOf(kind).on_other_stack) return true;
    // The initial task of a target region lies within the target task, and both share their frames.
    if (kind == TaskKind::kInitial && !target_tasks_seen.load(std::memory_order_relaxed)) return true;
    may_end = TraitsOf(kind).chain_may_end;
    inner = kind;
  }
  fuel->Mark(Cut::kTasks);
  return met_region;
}

// The chain of tasks does not lead to the thread's region, but the callbacks know the region. A worker's stack is
// spliced to it. A primary thread's other tasks stay unknown, and its implicit task is not the outermost task.
void AddKnownRegion(const EntryPoints& ompt, ThreadState* thread, TaskView* view, RuntimeView* result) {
  const OpenTask* open = CurrentTask(thread);
  if (open == nullptr || view->count + 2 > TaskView::kMaxLevels || !MarkSampled(open->region)) return;
  const RegionRef ref = open->region;
  const auto add = [&](NodeKey marker, RegionRef primary_of, RegionRef region_of, const ompt_frame_t* frame) {
    view->levels[view->count].marker = marker;
    view->primary_of[view->count] = primary_of;
    view->region_of[view->count] = region_of;
    SetFrames(ompt, frame, &view->levels[view->count]);
    ++view->count;
    ++result->levels;
  };
  const bool primary = open->thread_num == 0;
  add(MakeKey(RegionOf(ref)->codeptr_ra, fields::kNodeImplicitTask), primary ? ref : 0, ref,
      thread->sampler.limits.region == ref ? thread->sampler.limits.frame : nullptr);
  if (primary) {
    add(0, 0, 0, nullptr);
  } else {
    result->splice = ref;
  }
}

// The state according to the callbacks, where the runtime is not asked.
OmptState StateByCallbacks(bool worker, RegionRef region) {
  if (region != 0) return OmptState::kWorkParallel;
  return worker ? OmptState::kIdle : OmptState::kWorkSerial;
}

// Asks one runtime, and adds the tasks that it knows to `view`. `worker`: the thread belongs to that runtime. If not
// `may_ask`, the result has the callbacks' knowledge.
RuntimeView ReadRuntime(const EntryPoints& ompt, ThreadState* thread, bool worker, bool may_ask, TaskView* view) {
  RuntimeView result{OmptState::kUndefined, 0, 0, 0, false};
  if (may_ask && ompt.get_state != nullptr && thread->sampler.limits.fuel.Take(Cut::kTasks, Fuel::Query(0)))
    result.state = static_cast<OmptState>(ompt.get_state(&result.wait_id));
  const bool whole = may_ask && (ompt.get_task_info == nullptr || AddTasks(ompt, thread, worker, view, &result));
  // With two runtimes, the callbacks do not tell which of them the region belongs to.
  if (!whole && (thread->tasks.announced_by & (thread->tasks.announced_by - 1)) == 0)
    AddKnownRegion(ompt, thread, view, &result);
  if (!may_ask)
    result.state = StateByCallbacks(worker, result.levels != 0 ? view->region_of[view->count - result.levels] : 0);
  if (result.state < OmptState::kWaitMutex || result.state >= OmptState::kWaitTarget) result.wait_id = 0;
  if (thread->locks.wanted_kind != 0) result.wait_id = thread->locks.wanted_id;
  result.state = RefinedState(*thread, result.state);
  if (thread->devices.IsInConstruct(CurrentTask(thread))) result.state = libomptarget::StateInConstruct(result.state);
  libomp::MendLevels(view->levels + (view->count - result.levels), result.levels);
  if (worker && result.region_over) {
    result.state = OmptState::kIdle;
    result.splice = 0;
  } else if (worker && result.levels == 0) {
    result.state = libomp::StateWithoutRegion(result.state);
  }
  return result;
}

// The place of a task on the stack; 0 if the task has no frame there.
uintptr_t Position(const TaskLevel& level) { return level.exit_frame != 0 ? level.exit_frame : level.enter_frame; }

template <typename Value>
void Swap(Value* a, Value* b) {
  const Value kept = *a;
  *a = *b;
  *b = kept;
}

// Puts the tasks of two runtimes into the order of the stack. The levels [0, first) belong to the first runtime.
void MergeLevels(uint32_t first, TaskView* view) {
  for (uint32_t next = first; next < view->count; ++next) {
    for (uint32_t at = next; at > 0; --at) {
      const uintptr_t inner = Position(view->levels[at]);
      if (inner == 0 || inner >= Position(view->levels[at - 1])) break;
      Swap(&view->levels[at], &view->levels[at - 1]);
      Swap(&view->primary_of[at], &view->primary_of[at - 1]);
      Swap(&view->region_of[at], &view->region_of[at - 1]);
    }
  }
}

// The youngest frame of a runtime's tasks on the stack. The thread is in the runtime with the youngest frame.
uintptr_t YoungestFrame(const TaskView& view, uint32_t begin, uint32_t end) {
  for (uint32_t level = begin; level < end; ++level) {
    if (view.levels[level].enter_frame != 0) return view.levels[level].enter_frame;
    if (view.levels[level].exit_frame != 0) return view.levels[level].exit_frame;
  }
  return UINTPTR_MAX;
}

}  // namespace

void ReadTaskView(ThreadState* thread, TaskView* view) {
  view->state = OmptState::kNone;
  view->wait_id = 0;
  view->region = 0;
  view->splice = 0;
  view->runtime_base = false;
  view->count = 0;
  if (thread->tasks.announced_by == 0) return;

  AnswerTime& answers = thread->sampler.limits.answers;
  const bool may_ask = answers.MayAsk();
  const bool timed = may_ask && answers.IsTimed();
  const bool suspect = answers.IsSuspect();
  const uint64_t asked_ns = !timed ? 0 : suspect ? ThreadCpuNs() : QuickNs();
  if (!may_ask) thread->sampler.limits.fuel.Mark(Cut::kSlow);
  RuntimeView chosen{OmptState::kUndefined, 0, 0, 0, false};
  uintptr_t chosen_frame = UINTPTR_MAX;
  bool asked = false;
  for (int runtime = 0; runtime < kMaxRuntimes; ++runtime) {
    const EntryPoints* ompt = (thread->tasks.announced_by & 1 << runtime) != 0 ? ActiveEntryPoints(runtime) : nullptr;
    if (ompt == nullptr) continue;
    const bool worker = thread->tasks.worker_of == runtime + 1;
    const uint32_t first = view->count;
    const RuntimeView said = ReadRuntime(*ompt, thread, worker, may_ask, view);
    const uintptr_t frame = YoungestFrame(*view, first, view->count);
    if (worker) view->runtime_base = true;
    if (said.splice != 0) view->splice = said.splice;
    if (!asked || frame < chosen_frame || (frame == UINTPTR_MAX && chosen_frame == UINTPTR_MAX && worker)) {
      chosen = said;
      chosen_frame = frame;
    }
    if (asked) MergeLevels(first, view);
    asked = true;
  }
  if (timed) {
    const uint64_t now_ns = suspect ? ThreadCpuNs() : QuickNs();
    answers.Took(now_ns > asked_ns ? now_ns - asked_ns : 0, 1000000000ull / session.config.frequency);
  }
  if (!asked) return;

  if (chosen.state != OmptState::kIdle) {
    for (uint32_t level = 0; level < view->count && view->region == 0; ++level) view->region = view->region_of[level];
  }
  view->state = chosen.state;
  view->wait_id = chosen.wait_id;
}

}  // namespace ompprof::collect
