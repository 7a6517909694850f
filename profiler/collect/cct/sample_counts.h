// What the events of --count counted between two samples of a thread. The handler makes it, and the ring carries it.
#ifndef OMPPROF_PROFILER_COLLECT_CCT_SAMPLE_COUNTS_H_
#define OMPPROF_PROFILER_COLLECT_CCT_SAMPLE_COUNTS_H_

#include <stdint.h>

#include "proto/counted_events.h"

namespace ompprof::collect {

// By the event's place in --count; 0 behind the last event.
struct SampleCounts {
  uint64_t of[kMostCountedEvents];

  bool any() const { return (of[0] | of[1] | of[2] | of[3]) != 0; }
  void Add(const SampleCounts& more) {
    for (uint32_t i = 0; i < kMostCountedEvents; ++i) of[i] += more.of[i];
  }
};
static_assert(kMostCountedEvents == 4);

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_CCT_SAMPLE_COUNTS_H_
