// A task as a runtime shows it: the places of its frames on the stack. read_task_view.cc fills it in, and classify.cc
// splits the stack by it.
#ifndef OMPPROF_PROFILER_COLLECT_TASKS_TASK_LEVEL_H_
#define OMPPROF_PROFILER_COLLECT_TASKS_TASK_LEVEL_H_

#include <stdint.h>

#include "profiler/collect/cct/tree.h"
#include "proto/callpath_profile_fields.h"

namespace ompprof::collect {

// The frames come from ompt_get_task_info (ompt_frame_t).
struct TaskLevel {
  uintptr_t exit_frame;  // 0: NULL
  uintptr_t enter_frame;
  int exit_flags;  // ompt_frame_flag_t bits
  int enter_flags;
  NodeKey marker;  // stands before the task's first frame; 0: none (an initial task, a target task)
};

inline bool IsImplicit(NodeKey marker) { return (KeyKind(marker) & 15) == fields::kNodeImplicitTask; }
inline bool IsImplicit(const TaskLevel& level) { return IsImplicit(level.marker); }

// Whether the marker tells the task's site, or at least its region. Other tasks are told from each other by nothing.
inline bool HasSite(NodeKey marker) {
  const uint8_t kind = KeyKind(marker) & 15;
  return kind == fields::kNodeImplicitTask || (KeyValue(marker) != 0 && kind != fields::kNodeUndeferredTask);
}

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_TASKS_TASK_LEVEL_H_
