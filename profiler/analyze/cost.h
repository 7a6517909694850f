// Which of the units of a cost a report goes by (`--metric`).
#ifndef OMPPROF_PROFILER_ANALYZE_COST_H_
#define OMPPROF_PROFILER_ANALYZE_COST_H_

#include <cstdint>

#include "profiler/analyze/view.h"

namespace ompprof::analyze {

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
