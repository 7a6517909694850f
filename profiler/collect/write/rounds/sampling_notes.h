// The profile's notes about threads that were not sampled as the user asked: at the kernel's tick, at a lower rate, not
// at all while they blocked the sampling signal, or with samples that were cut short. Writer thread only.
#ifndef OMPPROF_PROFILER_COLLECT_WRITE_ROUNDS_SAMPLING_NOTES_H_
#define OMPPROF_PROFILER_COLLECT_WRITE_ROUNDS_SAMPLING_NOTES_H_

#include <stdint.h>

#include "profiler/collect/base/fuel.h"

namespace ompprof::collect {

struct SampleLimits;
struct ThreadState;

// Samples that were cut short (fuel.h), added up over threads.
struct CutSamples {
  uint64_t samples[kCuts];

  void Add(const SampleLimits& limits);
};

// CPU time for which threads blocked the sampling signal, added up over threads.
struct MaskedTime {
  uint64_t ns;
  uint64_t most_ns;  // largest time of one thread
  uint32_t most_id;  // number of this thread
  char most_name[16];

  void Add(const ThreadState& thread);
};

// Adds the notes, at the profile's end.
void AddSamplingNotes(const CutSamples& cut, const MaskedTime& masked);

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_WRITE_ROUNDS_SAMPLING_NOTES_H_
