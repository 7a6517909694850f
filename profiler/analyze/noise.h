// How far a measured number is from what another measurement of the same would give by chance. The comparison of two
// profiles reckons with it.
#ifndef OMPPROF_PROFILER_ANALYZE_NOISE_H_
#define OMPPROF_PROFILER_ANALYZE_NOISE_H_

#include <cstdint>
#include <vector>

namespace ompprof::analyze {

// A number and the variance that chance alone gives it.
//
// A sum of events that come independently of each other (samples, each with its weight; waits, each with its length)
// has the variance of a compound Poisson process: the sum of the squares of what each event adds. Where only a part's
// total and its largest or mean event are known, the sum of squares is at most total x largest.
struct Amount {
  double value = 0;
  double variance = 0;  // negative: not known

  static Amount Unknown(double value) { return {value, -1}; }

  // Adds `samples` samples that weigh `weight` together.
  void AddSamples(uint64_t samples, uint64_t weight);

  // Adds events that take `total` together and `largest` at most.
  void AddEvents(uint64_t total, uint64_t largest);

  // Adds what a part that was estimated may be off by, in square microseconds, to a sum of nanoseconds.
  void AddEstimate(double square_us);
};

// The two-sided quantile of the standard normal distribution: 1.960 for `outside` = 0.05.
double NormalQuantile(double outside);

// The same of Student's t with `degrees` degrees of freedom; infinite: the normal one. G. W. Hill, "Algorithm 396:
// Student's t-quantiles", Communications of the ACM 13 (1970).
double StudentQuantile(double outside, double degrees);

// What several runs say together.
struct Mean {
  double value = 0;
  double variance = 0;  // of the mean; negative: not known
  double degrees = 0;   // of freedom of that variance; infinite: it is not from the runs' differences
};

// The mean over runs. Of several runs the variance is that of their differences, if that is more than the runs' own.
Mean MeanOf(const std::vector<Amount>& runs);

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_NOISE_H_
