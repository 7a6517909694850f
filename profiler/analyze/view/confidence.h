// The error of a sampled share at 95 % confidence. The reports show this error beside shares. README.md in this folder
// has the formula and its source.
#ifndef OMPPROF_PROFILER_ANALYZE_VIEW_CONFIDENCE_H_
#define OMPPROF_PROFILER_ANALYZE_VIEW_CONFIDENCE_H_

#include <cstdint>

#include "profiler/analyze/view/view.h"

namespace ompprof::analyze {

// The number of samples of equal weight that say as much as the view's samples: (sum of weights)^2 / sum of squared
// weights (Kish, Survey Sampling, 1965). Samples of one row count as equal. So the number is slightly too large if
// weights differ within rows.
double EffectiveSamples(const View& view);

// The 95 % error of a share (0 to 1) that `samples` independent samples gave. The true share lies within this error on
// either side. The error is half of Wilson's score interval and half the distance of its centre, so shares of 0 and 1
// have an error too. 1 if there are no samples.
double ShareError(double share, double samples);

// The error of `weight` as a share of `view.total_weight`, in units of weight.
uint64_t WeightError(const View& view, uint64_t weight);

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_VIEW_CONFIDENCE_H_
