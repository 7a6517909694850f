#include "profiler/collect/thread/phase.h"

#include "profiler/collect/base/exported.h"

namespace ompprof::collect {

LabelTable labels;

void PushLabel(ThreadState* thread, const char* name) {
  const uint32_t depth = thread->labels.depth++;
  if (depth >= ThreadLabels::kMost) {
    labels.Refuse();
    return;
  }
  thread->labels.outer[depth] = thread->labels.innermost;
  const RegionRef region = thread->tasks.depth != 0 && thread->tasks.depth <= ThreadTasks::kMost
                               ? thread->tasks.open[thread->tasks.depth - 1].region
                               : 0;
  const uint32_t label = labels.Find(PhaseIn(*thread, region), name);
  if (label != 0) thread->labels.innermost = static_cast<uint16_t>(label);
}

void PopLabel(ThreadState* thread) {
  if (thread->labels.depth == 0) return;
  const uint32_t depth = --thread->labels.depth;
  if (depth < ThreadLabels::kMost) thread->labels.innermost = thread->labels.outer[depth];
}

}  // namespace ompprof::collect

// Works also while nothing is sampled: sampling may begin within a phase.
OMPPROF_EXPORT void ompprof_label(const char* name) {
  using namespace ompprof::collect;
  ThreadState* thread = this_thread;
  if (thread == nullptr) return;
  name != nullptr ? PushLabel(thread, name) : PopLabel(thread);
}
