// The metric by which a report sorts and shows costs (`--metric`).
#ifndef OMPPROF_PROFILER_ANALYZE_VIEW_COST_H_
#define OMPPROF_PROFILER_ANALYZE_VIEW_COST_H_

#include <cstdint>

#include "profiler/analyze/view/view.h"

namespace ompprof::analyze {

enum class Metric {
  kWeight,  // CPU time, wall time or events: the samples' weights
  kSamples,
  kWait,   // thread-time of waits; waits shorter than a sampling period have a frame of their own (short_waits.h)
  kBlame,  // thread-time in which others waited
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

// The whole of which shares are computed: the whole profile, even if samples are filtered.
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

#endif  // OMPPROF_PROFILER_ANALYZE_VIEW_COST_H_
