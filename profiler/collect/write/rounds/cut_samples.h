// Adds up cut samples (fuel.h) over threads, and makes the profile's note about them.
#ifndef OMPPROF_PROFILER_COLLECT_WRITE_ROUNDS_CUT_SAMPLES_H_
#define OMPPROF_PROFILER_COLLECT_WRITE_ROUNDS_CUT_SAMPLES_H_

#include <stdint.h>

#include "profiler/collect/base/fuel.h"

namespace ompprof::collect {

struct SampleLimits;

// Writer thread only.
struct CutSamples {
  uint64_t samples[kCuts];

  void Add(const SampleLimits& limits);

  // Adds the note at the profile's end, if samples were cut.
  void AddNote() const;
};

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_WRITE_ROUNDS_CUT_SAMPLES_H_
