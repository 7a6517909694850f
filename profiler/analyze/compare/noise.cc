#include "profiler/analyze/compare/noise.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ompprof::analyze {

void Amount::AddSamples(uint64_t samples, uint64_t weight) {
  const auto all = static_cast<double>(weight);
  value += all;
  variance += all * all / static_cast<double>(std::max<uint64_t>(samples, 1));
}

void Amount::AddEvents(uint64_t total, uint64_t largest) {
  value += static_cast<double>(total);
  variance += static_cast<double>(total) * static_cast<double>(std::min(largest, total));
}

void Amount::AddEstimate(double square_us) {
  if (variance >= 0) variance += square_us * 1e6;
}

double NormalQuantile(double significance_level) {
  double low = 0;
  double high = 40;
  for (int i = 0; i < 80; ++i) {
    const double middle = (low + high) / 2;
    (std::erfc(middle / std::sqrt(2.0)) > significance_level ? low : high) = middle;
  }
  return low;
}

double StudentQuantile(double significance_level, double degrees) {
  const double n = std::max(degrees, 1.0);
  const double p = significance_level;
  if (!(n < 1e6)) return NormalQuantile(p);
  if (n < 1.0001) return 1 / std::tan(p * M_PI / 2);
  if (std::abs(n - 2) < 1e-9) return std::sqrt(2 / (p * (2 - p)) - 2);
  const double a = 1 / (n - 0.5);
  const double b = 48 / (a * a);
  double c = ((20700 * a / b - 98) * a - 16) * a + 96.36;
  const double d = ((94.5 / (b + c) - 3) / b + 1) * std::sqrt(a * M_PI / 2) * n;
  double y = std::pow(d * p, 2 / n);
  if (y > 0.05 + a) {
    const double x = -NormalQuantile(p);
    y = x * x;
    if (n < 5) c += 0.3 * (n - 4.5) * (x + 0.6);
    c = (((0.05 * d * x - 5) * x - 7) * x - 2) * x + b + c;
    y = (((((0.4 * y + 6.3) * y + 36) * y + 94.5) / c - y - 3) / b + 1) * x;
    y = std::expm1(a * y * y);
  } else {
    y = ((1 / (((n + 6) / (n * y) - 0.089 * d - 0.822) * (n + 2) * 3) + 0.5 / (n + 4)) * y - 1) * (n + 1) / (n + 2) +
        1 / y;
  }
  return std::sqrt(n * y);
}

Mean MeanOf(const std::vector<Amount>& runs) {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  Mean mean;
  mean.degrees = kInfinite;
  const auto count = static_cast<double>(runs.size());
  if (runs.empty()) return mean;
  bool known = true;
  for (const Amount& run : runs) {
    mean.value += run.value / count;
    mean.variance += run.variance / (count * count);
    known = known && run.variance >= 0;
  }
  if (!known) mean.variance = -1;
  if (runs.size() < 2) return mean;
  double squares = 0;
  for (const Amount& run : runs) squares += (run.value - mean.value) * (run.value - mean.value);
  const double between = squares / (count - 1) / count;
  if (between > mean.variance) {
    mean.variance = between;
    mean.degrees = count - 1;
  }
  return mean;
}

}  // namespace ompprof::analyze
