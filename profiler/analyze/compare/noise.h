// The noise of measured numbers: how much chance alone makes two measurements of one number differ. The comparison of
// two profiles uses it.
#ifndef OMPPROF_PROFILER_ANALYZE_COMPARE_NOISE_H_
#define OMPPROF_PROFILER_ANALYZE_COMPARE_NOISE_H_

#include <cstdint>
#include <vector>

namespace ompprof::analyze {

// A number and the variance that chance causes.
//
// A sum of independent events (samples with weights; waits with lengths) has the variance of a compound Poisson
// process: the sum of the events' squares. If only the total and the largest or mean event are known, the sum of
// squares is at most total x largest.
struct Amount {
  double value = 0;
  double variance = 0;  // negative: not known

  static Amount Unknown(double value) { return {value, -1}; }

  // Adds `samples` samples with a total weight of `weight`.
  void AddSamples(uint64_t samples, uint64_t weight);

  // Adds events with this total and this largest event.
  void AddEvents(uint64_t total, uint64_t largest);

  // Adds the variance of an estimated part, in square microseconds. The value is in nanoseconds.
  void AddEstimate(double square_us);
};

// The two-sided quantile of the standard normal distribution: chance exceeds the quantile, in absolute value, with the
// probability `significance_level`. 1.960 for 0.05.
double NormalQuantile(double significance_level);

// The two-sided quantile of Student's t distribution with `degrees` degrees of freedom; for infinite degrees,
// NormalQuantile. G. W. Hill, "Algorithm 396: Student's t-quantiles", Communications of the ACM 13 (1970).
double StudentQuantile(double significance_level, double degrees);

// The mean of a number over several runs.
struct Mean {
  double value = 0;
  double variance = 0;  // of the mean; negative: not known
  double degrees =
      0;  // degrees of freedom of that variance; infinite: the variance does not come from the runs' differences
};

// The mean over runs. Its variance comes from the runs' own variances, or from the differences between the runs if that
// variance is larger.
Mean MeanOf(const std::vector<Amount>& runs);

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_COMPARE_NOISE_H_
