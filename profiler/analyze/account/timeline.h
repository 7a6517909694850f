// The timeline of each thread: View::timed as stretches that do not overlap. The exports with a timeline read it.
#ifndef OMPPROF_PROFILER_ANALYZE_ACCOUNT_TIMELINE_H_
#define OMPPROF_PROFILER_ANALYZE_ACCOUNT_TIMELINE_H_

#include <cstdint>
#include <vector>

#include "profiler/analyze/view/view.h"

namespace ompprof::analyze {

struct Stretch {
  uint32_t sample;    // index into View::samples
  uint64_t begin_ns;  // since the first process's start
  uint64_t end_ns;
};

struct ThreadTimeline {
  uint32_t process;                // index into RunFacts::processes
  uint32_t thread;                 // Thread.id there
  std::vector<Stretch> stretches;  // by time; no two overlap
};

// The timelines by process and thread. Stretches of waiting are exact, and replace the samples taken meanwhile. A
// sample stands for the time before it, as long as its weight. It reaches back to the previous sample if the rest
// between them is less than a sampling period and a tick: the kernel's timers go off only at ticks. The
// remaining time is gaps: the thread slept, or waited for a processor.
std::vector<ThreadTimeline> Timelines(const View& view);

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_ACCOUNT_TIMELINE_H_
