// What an OpenMP runtime says of a thread at one instant: state, tasks on its stack, regions (read_task_view.h).
#ifndef OMPPROF_PROFILER_COLLECT_TASKS_TASK_VIEW_H_
#define OMPPROF_PROFILER_COLLECT_TASKS_TASK_VIEW_H_

#include <stdint.h>

#include "profiler/collect/tasks/classify.h"
#include "profiler/collect/tasks/region.h"
#include "proto/ompt_state.h"

namespace ompprof::collect {

struct TaskView {
  // Of explicit tasks nested deeper than this, the innermost are kept. The rest of the room is for the tasks with which
  // regions begin.
  static constexpr uint32_t kMaxExplicit = 32;
  static constexpr uint32_t kMaxLevels = kMaxExplicit + 8;

  OmptState state;  // kNone: the runtime does not know the thread
  uint64_t wait_id;
  RegionRef region;   // innermost live region; 0: none
  RegionRef splice;   // the region whose creation path continues this thread's stack; 0: none
  bool runtime_base;  // the stack begins in the runtime
  uint32_t count;     // number of levels, innermost first
  TaskLevel levels[kMaxLevels];
  RegionRef primary_of[kMaxLevels];  // for each level: the live region of which this is the primary thread; 0: none
  RegionRef region_of[kMaxLevels];   // for each level: the live region to which the implicit task belongs; 0: none
  // The identity of each level's task while a runtime is asked: the addresses of its data word and its frames.
  const void* data_of[kMaxLevels];
  const void* frame_of[kMaxLevels];

  // Clears one level; `count` stays.
  void Clear(uint32_t level) {
    levels[level].marker = 0;
    primary_of[level] = region_of[level] = 0;
  }
};

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_TASKS_TASK_VIEW_H_
