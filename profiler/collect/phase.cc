#include "profiler/collect/phase.h"

#include "profiler/collect/exported.h"

namespace ompprof::collect {

LabelTable labels;

void PushLabel(ThreadState* thread, const char* name) {
  const uint32_t depth = thread->label_depth++;
  if (depth >= ThreadState::kMaxLabels) {
    labels.Refuse();
    return;
  }
  thread->outer_labels[depth] = thread->label;
  const RegionRef region = thread->task_depth != 0 && thread->task_depth <= ThreadState::kMaxTasks
                               ? thread->open_tasks[thread->task_depth - 1].region
                               : 0;
  const uint32_t label = labels.Find(PhaseIn(*thread, region), name);
  if (label != 0) thread->label = static_cast<uint16_t>(label);
}

void PopLabel(ThreadState* thread) {
  if (thread->label_depth == 0) return;
  const uint32_t depth = --thread->label_depth;
  if (depth < ThreadState::kMaxLabels) thread->label = thread->outer_labels[depth];
}

}  // namespace ompprof::collect

// Also while nothing is sampled: sampling may begin within a phase.
OMPPROF_EXPORT void ompprof_label(const char* name) {
  using namespace ompprof::collect;
  ThreadState* thread = this_thread;
  if (thread == nullptr) return;
  name != nullptr ? PushLabel(thread, name) : PopLabel(thread);
}
