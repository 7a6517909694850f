// The phase of a thread, from the program's labels (ompprof.h).
#ifndef OMPPROF_PROFILER_COLLECT_THREAD_PHASE_H_
#define OMPPROF_PROFILER_COLLECT_THREAD_PHASE_H_

#include <stdint.h>

#include "profiler/collect/base/label_table.h"
#include "profiler/collect/thread/thread_state.h"

namespace ompprof::collect {

extern LabelTable labels;

// The thread's phase in `region`, its innermost region (0: none): the thread's own label, or else the phase in which
// the region was begun. The result is a label's number, 0: none. Sample::phase has this number + 1. Async-signal-safe;
// for the calling thread's own state.
inline uint16_t PhaseIn(const ThreadState& thread, RegionRef region) {
  const uint16_t own = thread.labels.innermost;
  return own != 0 || !IsCurrent(region) ? own : RegionOf(region)->phase;
}
inline uint16_t PhaseForSample(const ThreadState& thread, RegionRef region) {
  return static_cast<uint16_t>(PhaseIn(thread, region) + 1);
}

// The calling thread pushes a label, or pops a label. Not in the handler.
void PushLabel(ThreadState* thread, const char* name);
void PopLabel(ThreadState* thread);

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_THREAD_PHASE_H_
