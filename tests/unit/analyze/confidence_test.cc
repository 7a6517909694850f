// Error bars of shares: known intervals from the published formula, and a simulation that counts how often the bar
// covers the truth.
#include "profiler/analyze/view/confidence.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/unit/analyze/made_up_view.h"

namespace ompprof::analyze {
namespace {

using test::MadeUpView;

// Wilson's interval of 50 of 100 is 0.4038 to 0.5962, of 10 of 100 0.0552 to 0.1744, of 0 of 100 0 to 0.0370. Brown,
// Cai and DasGupta give the formula (Interval Estimation for a Binomial Proportion, Statistical Science 16, 2001). The
// error is half of that, and half the distance of its centre.
TEST(ShareError, KnownIntervals) {
  EXPECT_NEAR(ShareError(0.5, 100), 0.0962, 0.0001);
  EXPECT_NEAR(ShareError(0.1, 100), 0.0596 + 0.0148 / 2, 0.0001);
  EXPECT_NEAR(ShareError(0, 100), 0.0185 + 0.0185 / 2, 0.0001);
  EXPECT_NEAR(ShareError(1, 100), 0.0185 + 0.0185 / 2, 0.0001);
}

// With many samples it approaches the normal interval, 1.96 sqrt(p (1 - p) / n).
TEST(ShareError, ManySamples) {
  EXPECT_NEAR(ShareError(0.2, 1e6), 1.96 * std::sqrt(0.2 * 0.8 / 1e6), 1e-5);
  EXPECT_EQ(ShareError(0.5, 0), 1);
}

// How often the error covers the truth, by the binomial distribution itself. It jumps with the truth, so some truths
// that are close to each other share a mean.
TEST(ShareError, CoversTheTruth) {
  constexpr int kSamples = 120;
  const auto covered = [](double truth) {
    double chance = 0;
    for (int drawn = 0; drawn <= kSamples; ++drawn) {
      const double share = static_cast<double>(drawn) / kSamples;
      if (std::fabs(share - truth) > ShareError(share, kSamples)) continue;
      chance += std::exp(std::lgamma(kSamples + 1) - std::lgamma(drawn + 1) - std::lgamma(kSamples - drawn + 1) +
                         drawn * std::log(truth) + (kSamples - drawn) * std::log1p(-truth));
    }
    return chance;
  };
  for (const double truth : {0.03, 0.05, 0.1, 0.2, 0.3, 0.5, 0.9}) {
    double sum = 0;
    for (int step = -5; step <= 5; ++step) sum += covered(truth + std::min(truth, 1 - truth) * step / 50);
    EXPECT_GE(sum / 11, 0.945) << truth;
    EXPECT_LE(sum / 11, 0.975) << truth;
  }
}

TEST(EffectiveSamples, EqualWeightsCountInFull) {
  MadeUpView run;
  run.Add({.path = {"a"}, .samples = 30, .weight = 30000});
  run.Add({.path = {"b"}, .samples = 10, .weight = 10000});
  EXPECT_DOUBLE_EQ(EffectiveSamples(run.view), 40);
}

// Ten samples of 1 and ten of 9: (10 + 90)^2 / (10 + 810) = 12.195.
TEST(EffectiveSamples, UnequalWeightsCountLess) {
  MadeUpView run;
  run.Add({.path = {"a"}, .samples = 10, .weight = 10});
  run.Add({.path = {"b"}, .samples = 10, .weight = 90});
  EXPECT_NEAR(EffectiveSamples(run.view), 10000.0 / 820, 1e-9);
}

TEST(EffectiveSamples, WaitsAreNoSamples) {
  MadeUpView run;
  run.Add({.path = {"a"}, .samples = 0, .weight = 0, .wait = 5000});
  EXPECT_EQ(EffectiveSamples(run.view), 0);
  EXPECT_EQ(WeightError(run.view, 0), 0u);
}

TEST(WeightError, IsTheShareOfTheWhole) {
  MadeUpView run;
  run.Add({.path = {"a"}, .samples = 50, .weight = 50000});
  run.Add({.path = {"b"}, .samples = 50, .weight = 50000});
  EXPECT_EQ(WeightError(run.view, 50000), 9617u);  // 0.09617 of 100000
}

}  // namespace
}  // namespace ompprof::analyze
