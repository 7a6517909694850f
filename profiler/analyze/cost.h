// What something cost, in every unit that a profile has, and which of them a report goes by (`--metric`).
#ifndef OMPPROF_PROFILER_ANALYZE_COST_H_
#define OMPPROF_PROFILER_ANALYZE_COST_H_

#include <cstdint>

#include "profiler/analyze/estimate.h"
#include "profiler/analyze/view.h"

namespace ompprof::analyze {

struct Cost {
  uint64_t samples = 0;
  uint64_t weight = 0;
  // Nanoseconds of wall time: waits with a call path; time of others that waited for this, idle or for a lock.
  uint64_t wait = 0;
  uint64_t blame = 0;
  uint64_t lock_blame = 0;
  // Of their estimated parts, in square microseconds.
  double wait_variance = 0;
  double blame_variance = 0;
  double lock_blame_variance = 0;

  void Add(uint64_t more_samples, uint64_t more_weight) {
    samples += more_samples;
    weight += more_weight;
  }
  // A Cost, or a ViewSample.
  template <class Other>
  void Add(const Other& more) {
    Add(more.samples, more.weight);
    wait += more.wait;
    blame += more.blame;
    lock_blame += more.lock_blame;
    wait_variance += more.wait_variance;
    blame_variance += more.blame_variance;
    lock_blame_variance += more.lock_blame_variance;
  }
  uint64_t all_blame() const { return blame + lock_blame; }
  Estimate wait_estimate() const { return {0, wait_variance}; }
  Estimate blame_estimate() const { return {0, blame_variance + lock_blame_variance}; }
};

enum class Metric {
  kWeight,  // CPU time, wall time or events, whatever the samples weigh
  kSamples,
  kWait,   // thread-time of waits with a call path: of a sampling period or more
  kBlame,  // thread-time that others waited
};

inline uint64_t CostIn(const Cost& cost, Metric metric) {
  switch (metric) {
    case Metric::kWeight:
      return cost.weight;
    case Metric::kSamples:
      return cost.samples;
    case Metric::kWait:
      return cost.wait;
    case Metric::kBlame:
      return cost.all_blame();
  }
  return 0;
}

inline Estimate EstimateOf(const Cost& cost, Metric metric) {
  switch (metric) {
    case Metric::kWait:
      return cost.wait_estimate();
    case Metric::kBlame:
      return cost.blame_estimate();
    case Metric::kWeight:
    case Metric::kSamples:
      break;
  }
  return {};
}

// Of the whole profile, whatever is filtered: what shares are of.
inline uint64_t Total(const View& view, Metric metric) {
  switch (metric) {
    case Metric::kWeight:
      return view.total_weight;
    case Metric::kSamples:
      return view.total_samples;
    case Metric::kWait:
      return view.total_wait;
    case Metric::kBlame:
      return view.total_blame;
  }
  return 0;
}

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_COST_H_
