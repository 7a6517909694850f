// How far a sampled share may be from the true one: 95 % confidence. The reports show it beside shares; README.md in
// this folder has the formula and where it is from.
#ifndef OMPPROF_PROFILER_ANALYZE_CONFIDENCE_H_
#define OMPPROF_PROFILER_ANALYZE_CONFIDENCE_H_

#include <cstdint>

#include "profiler/analyze/view.h"

namespace ompprof::analyze {

// How many samples of equal weight say as much as the view's: (sum of weights)^2 / sum of their squares (Kish, Survey
// Sampling, 1965). Samples of one row count as equal, so with weights that differ within rows it is a little too many.
double EffectiveSamples(const View& view);

// The 95 % error of a share between 0 and 1 that `samples` independent samples gave: the true share lies within it on
// either side. It is the farther end of Wilson's score interval, so it is not 0 for a share of 0 or 1 either. 1 if
// there are no samples.
double ShareError(double share, double samples);

// The same in units of weight, for `weight` of `view.total_weight`.
uint64_t WeightError(const View& view, uint64_t weight);

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_CONFIDENCE_H_
