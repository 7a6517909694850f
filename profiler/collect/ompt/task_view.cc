#include "profiler/collect/ompt/task_view.h"

#include <omp-tools.h>

#include "profiler/collect/ompt/entry_points.h"
#include "profiler/collect/ompt/wait_state.h"
#include "profiler/collect/thread_state.h"

namespace ompprof::collect {
namespace {

bool IsBarrier(int state) {
  return state >= ompt_state_wait_barrier_implicit_parallel - 1 && state <= ompt_state_wait_barrier_teams;
}

// What parallel_begin or task_create left in a task's data word (see callbacks.cc): a site, or with the top bit a node.
NodeKey TaskMarker(const ompt_data_t* data) {
  if (data == nullptr || data->value == 0) return 0;
  if (data->value >> 63 != 0) return MakeKey(data->value & ~(1ull << 63), fields::kNodeTaskContext);
  return MakeKey(data->value, fields::kNodeExplicitTask);
}

}  // namespace

void ReadTaskView(const ThreadState& thread, TaskView* view) {
  view->state = 0;
  view->wait_id = 0;
  view->region = 0;
  view->splice = 0;
  view->runtime_base = false;
  view->count = 0;
  if (!thread.omp_known) return;
  const EntryPoints* ompt = ActiveEntryPoints();
  if (ompt == nullptr) return;

  const bool worker = thread.kind.load(std::memory_order_relaxed) == fields::thread::kKindWorker;
  view->runtime_base = worker;
  ompt_wait_id_t wait_id = 0;
  int state = ompt->get_state != nullptr ? ompt->get_state(&wait_id) : ompt_state_undefined;
  view->wait_id = state >= ompt_state_wait_mutex && state < ompt_state_wait_target ? wait_id : 0;
  if (thread.mutex_kind != 0) {
    state = MutexWaitState(thread.mutex_kind);
    view->wait_id = thread.mutex_wait_id;
  } else if (thread.wait_depth > 0 && static_cast<uint32_t>(thread.wait_depth) <= ThreadState::kMaxWaits &&
             (IsBarrier(state) || state == ompt_state_work_parallel || state == ompt_state_work_serial ||
              state == ompt_state_overhead || state == ompt_state_wait_taskwait ||
              state == ompt_state_wait_taskgroup)) {
    const int waiting = SyncRegionState(thread.waits[thread.wait_depth - 1]);
    if (waiting != 0) state = waiting;
  }

  bool region_over = false;
  for (int depth = 0; depth < static_cast<int>(TaskView::kMaxLevels) && ompt->get_task_info != nullptr; ++depth) {
    int flags = 0;
    int thread_num = 0;
    ompt_data_t* task_data = nullptr;
    ompt_data_t* parallel_data = nullptr;
    ompt_frame_t* frame = nullptr;
    if (ompt->get_task_info(depth, &flags, &task_data, &frame, &parallel_data, &thread_num) != 2) break;
    TaskLevel* level = &view->levels[view->count];
    RegionRef* primary_of = &view->primary_of[view->count];
    *primary_of = 0;
    level->marker = 0;
    bool outermost = false;
    if ((flags & ompt_task_explicit) != 0) {
      if ((flags & (ompt_task_undeferred | static_cast<int>(ompt_task_merged))) == 0)
        level->marker = TaskMarker(task_data);
    } else if ((flags & ompt_task_implicit) != 0) {
      const RegionRef ref = parallel_data != nullptr ? parallel_data->value : 0;
      const bool live = MarkSampled(ref);
      const uint64_t site = live ? RegionOf(ref)->codeptr_ra : 0;
      level->marker = MakeKey(site, fields::kNodeImplicitTask);
      if (live && view->region == 0) view->region = ref;
      if (thread_num != 0) {
        // The tasks around this one run on another thread's stack.
        outermost = true;
        view->splice = live ? ref : 0;
        if (!live && worker) region_over = true;
      } else {
        *primary_of = live ? ref : 0;
      }
    } else {
      outermost = true;  // an initial task
    }
    if (frame != nullptr) {
      level->exit_frame = reinterpret_cast<uintptr_t>(frame->exit_frame.ptr);
      level->enter_frame = reinterpret_cast<uintptr_t>(frame->enter_frame.ptr);
      level->exit_flags = frame->exit_frame_flags;
      level->enter_flags = frame->enter_frame_flags;
    } else {
      level->exit_frame = level->enter_frame = 0;
      level->exit_flags = level->enter_flags = 0;
    }
    ++view->count;
    if (outermost) break;
  }

  // Runtimes go on calling it a barrier when the region has long ended (libomp does, all through the serial time after
  // it): that is idleness.
  if (worker && (region_over || (view->count == 0 && (IsBarrier(state) || state == ompt_state_undefined)))) {
    state = ompt_state_idle;
    view->region = 0;
    view->splice = 0;
  }
  view->state = static_cast<uint32_t>(state) + 1;
}

}  // namespace ompprof::collect
