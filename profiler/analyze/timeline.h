// What each thread did when: View::timed as stretches of time that do not overlap. The exports that show a timeline are
// made of them.
#ifndef OMPPROF_PROFILER_ANALYZE_TIMELINE_H_
#define OMPPROF_PROFILER_ANALYZE_TIMELINE_H_

#include <cstdint>
#include <vector>

#include "profiler/analyze/view.h"

namespace ompprof::analyze {

struct Stretch {
  uint32_t sample;    // index into View::samples
  uint64_t begin_ns;  // since the first process's start
  uint64_t end_ns;
};

struct ThreadTimeline {
  uint32_t process;                // index into RunFacts::processes
  uint32_t thread;                 // Thread.id there
  std::vector<Stretch> stretches;  // by time, none overlaps the next
};

// By process and thread. Stretches of waiting are exact, and take the place of samples that came meanwhile. A sample
// stands for the time before it: as much as its weight says, and up to the one before it if what is left is less than a
// sampling period, as the kernel's timers go off at its ticks only. What nothing stands for is a gap: the thread
// slept, or waited for a processor.
std::vector<ThreadTimeline> Timelines(const View& view);

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_TIMELINE_H_
