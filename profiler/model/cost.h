// What something cost, in every unit that a profile has. The rows of a profile have one each, and so has all that is
// added up from them: samples of a view, functions, threads, states, phases.
#ifndef OMPPROF_PROFILER_MODEL_COST_H_
#define OMPPROF_PROFILER_MODEL_COST_H_

#include <array>
#include <cstdint>

#include "profiler/model/estimate.h"
#include "proto/counted_events.h"

namespace ompprof::model {

// What the events of --count counted, by their places in Header.counted_events; in a view, see CountedEvent.
using Counts = std::array<uint64_t, kMostCountedEvents>;

inline void AddCounts(const Counts& more, Counts* sum) {
  for (uint32_t i = 0; i < kMostCountedEvents; ++i) (*sum)[i] += more[i];
}

struct Cost {
  uint64_t samples = 0;
  uint64_t weight = 0;  // that the samples stand for: nanoseconds, or events
  // Nanoseconds of wall time: waits with a call path; time of others that waited for this, idle or for a lock.
  uint64_t wait = 0;
  uint64_t blame = 0;
  uint64_t lock_blame = 0;
  // The parts of `blame` from while this was off its processor: ready without one; ready, or asleep.
  uint64_t ready_blame = 0;
  uint64_t off_processor_blame = 0;
  // Of their estimated parts, in square microseconds.
  double wait_variance = 0;
  double blame_variance = 0;
  double lock_blame_variance = 0;
  // The kernel's work: page faults that needed no disk, and CPU time, which the weight contains.
  uint64_t faults = 0;
  uint64_t kernel_ns = 0;
  Counts counts = {};

  void Add(uint64_t more_samples, uint64_t more_weight) {
    samples += more_samples;
    weight += more_weight;
  }
  void Add(const Cost& more) {
    Add(more.samples, more.weight);
    wait += more.wait;
    blame += more.blame;
    lock_blame += more.lock_blame;
    ready_blame += more.ready_blame;
    off_processor_blame += more.off_processor_blame;
    faults += more.faults;
    kernel_ns += more.kernel_ns;
    AddCounts(more.counts, &counts);
    wait_variance += more.wait_variance;
    blame_variance += more.blame_variance;
    lock_blame_variance += more.lock_blame_variance;
  }

  // Nothing was sampled; waits and blame there may be.
  bool is_unsampled() const { return samples == 0 && weight == 0; }
  bool has_waits_or_blame() const { return wait != 0 || blame != 0 || lock_blame != 0; }

  uint64_t all_blame() const { return blame + lock_blame; }
  Estimate wait_estimate() const { return {0, wait_variance}; }
  Estimate blame_estimate() const { return {0, blame_variance + lock_blame_variance}; }
};

}  // namespace ompprof::model

#endif  // OMPPROF_PROFILER_MODEL_COST_H_
