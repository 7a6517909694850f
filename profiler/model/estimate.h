// Which part of a measured sum is estimated, and how far the sum may be off for it. Waits, blame and regions carry one
// beside each of their sums; it is empty where every event was measured.
#ifndef OMPPROF_PROFILER_MODEL_ESTIMATE_H_
#define OMPPROF_PROFILER_MODEL_ESTIMATE_H_

#include <cmath>
#include <cstdint>

namespace ompprof::model {

struct Estimate {
  uint64_t ns = 0;      // the estimated part; 0 where only its variance is known
  double variance = 0;  // of it, in square microseconds. Parts are independent of each other: variances add up

  void Add(const Estimate& more) {
    ns += more.ns;
    variance += more.variance;
  }

  // Of a figure that changes by `factor` for each nanosecond of the sum.
  Estimate Times(double factor) const { return {ns, variance * factor * factor}; }

  bool any() const { return ns > 0 || variance > 0; }

  // The sum lies that far from its true value at most, with 95 % confidence; nanoseconds.
  uint64_t ci95_ns() const { return static_cast<uint64_t>(std::llround(1.96 * 1000 * std::sqrt(variance))); }
};

}  // namespace ompprof::model

#endif  // OMPPROF_PROFILER_MODEL_ESTIMATE_H_
