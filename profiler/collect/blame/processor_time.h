// How much of a thread's work came while it had no processor: the threads that waited meanwhile waited for a processor,
// and not for the thread's code. A part of ThreadBlame.
#ifndef OMPPROF_PROFILER_COLLECT_BLAME_PROCESSOR_TIME_H_
#define OMPPROF_PROFILER_COLLECT_BLAME_PROCESSOR_TIME_H_

#include <stdint.h>

#include <algorithm>

namespace ompprof::collect {

// A thread's clocks at one of its samples.
struct ProcessorClocks {
  uint64_t wall_ns;  // CLOCK_MONOTONIC
  uint64_t cpu_ns;   // the thread's CPU clock; 0: not known, as with samples by events
  uint64_t left;     // how often the thread has left its processor to sleep (KernelWork)
};

// Whether a thread has left its processor to sleep between two samples.
inline bool HasSlept(const ProcessorClocks& before, const ProcessorClocks& now) { return now.left != before.left; }

// A part as a sample carries it (Sample::off_processor). Whole numbers, because callbacks do without floating point.
inline constexpr uint8_t kAllParts = 255;

// The part of a thread's time of work between two samples, of `worked_ns` in all, in which it was off its processor, in
// kAllParts. Its waits in OpenMP are between the samples as well. A thread that has not slept has spun there, and
// lacked a processor as often as in its work. Of a thread that has slept, only the CPU time says something: no work is
// shorter than its CPU time, and what it spun makes the result too small. Such a thread may also have slept in its work
// (in a read): the result contains that.
inline uint8_t PartOffProcessor(const ProcessorClocks& before, const ProcessorClocks& now, uint64_t worked_ns) {
  if (before.cpu_ns == 0 || now.cpu_ns == 0 || worked_ns == 0 || now.wall_ns <= before.wall_ns) return 0;
  const uint64_t all_ns = HasSlept(before, now) ? worked_ns : now.wall_ns - before.wall_ns;
  const uint64_t cpu_ns = std::min(all_ns, now.cpu_ns - std::min(now.cpu_ns, before.cpu_ns));
  return static_cast<uint8_t>(((all_ns - cpu_ns) * kAllParts + all_ns / 2) / all_ns);
}

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_BLAME_PROCESSOR_TIME_H_
