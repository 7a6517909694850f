#include "profiler/analyze/view/confidence.h"

#include <algorithm>
#include <cmath>

namespace ompprof::analyze {
namespace {

constexpr double kZ = 1.959964;  // 95 % of the standard normal distribution lie within this distance

}  // namespace

double EffectiveSamples(const View& view) {
  const double sum = static_cast<double>(view.total_weight);
  return view.weight_squares > 0 ? sum * sum / view.weight_squares : 0;
}

double ShareError(double share, double samples) {
  if (samples <= 0) return 1;
  share = std::clamp(share, 0.0, 1.0);
  const double z2 = kZ * kZ / samples;
  const double centre = (share + z2 / 2) / (1 + z2);
  const double half = kZ / (1 + z2) * std::sqrt(share * (1 - share) / samples + z2 / (4 * samples));
  return half + std::fabs(centre - share) / 2;
}

uint64_t WeightError(const View& view, uint64_t weight) {
  if (view.total_weight == 0) return 0;
  const double whole = static_cast<double>(view.total_weight);
  return static_cast<uint64_t>(
      std::llround(whole * ShareError(static_cast<double>(weight) / whole, EffectiveSamples(view))));
}

}  // namespace ompprof::analyze
