// What an OpenMP runtime says of a thread at one instant: state, tasks on its stack, regions (read_task_view.h).
#ifndef OMPPROF_PROFILER_COLLECT_TASKS_TASK_VIEW_H_
#define OMPPROF_PROFILER_COLLECT_TASKS_TASK_VIEW_H_

#include <stdint.h>

#include "profiler/collect/tasks/classify.h"
#include "profiler/collect/tasks/region.h"
#include "proto/ompt_state.h"

namespace ompprof::collect {

struct TaskView {
  // Of explicit tasks nested deeper than that the innermost are kept; there is room for tasks that regions begin with.
  static constexpr uint32_t kMaxExplicit = 32;
  static constexpr uint32_t kMaxLevels = kMaxExplicit + 8;

  OmptState state;  // kNone: the runtime does not know the thread
  uint64_t wait_id;
  RegionRef region;   // innermost live region, 0: none
  RegionRef splice;   // the region whose creation path continues this thread's stack, 0: none
  bool runtime_base;  // the stack begins in the runtime
  uint32_t count;     // levels, innermost first
  TaskLevel levels[kMaxLevels];
  RegionRef primary_of[kMaxLevels];  // per level: the live region whose primary thread this is, 0: none
  RegionRef region_of[kMaxLevels];   // per level: the live region that it is an implicit task of, 0: none
  // Which task a level is, while a runtime is asked: by the addresses of its data word and its frames.
  const void* data_of[kMaxLevels];
  const void* frame_of[kMaxLevels];

  // Of one level; `count` stays.
  void Clear(uint32_t level) {
    levels[level].marker = 0;
    primary_of[level] = region_of[level] = 0;
  }
};

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_TASKS_TASK_VIEW_H_
