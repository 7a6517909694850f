// Error bars of shares: known intervals from the published formula, and a simulation that counts how often the bar
// covers the truth.
#include "profiler/analyze/confidence.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tests/unit/analyze/made_up_view.h"

namespace ompprof::analyze {
namespace {

using test::MadeUpView;

// Wilson's interval of 50 of 100 is 0.4038 to 0.5962, of 10 of 100 0.0552 to 0.1744, of 0 of 100 0 to 0.0370. Brown,
// Cai and DasGupta give the formula (Interval Estimation for a Binomial Proportion, Statistical Science 16, 2001).
TEST(ShareError, KnownIntervals) {
  EXPECT_NEAR(ShareError(0.5, 100), 0.0962, 0.0001);
  EXPECT_NEAR(ShareError(0.1, 100), 0.0744, 0.0001);
  EXPECT_NEAR(ShareError(0, 100), 0.0370, 0.0001);
  EXPECT_NEAR(ShareError(1, 100), 0.0370, 0.0001);
}

// With many samples it approaches the normal interval, 1.96 sqrt(p (1 - p) / n).
TEST(ShareError, ManySamples) {
  EXPECT_NEAR(ShareError(0.2, 1e6), 1.96 * std::sqrt(0.2 * 0.8 / 1e6), 1e-5);
  EXPECT_EQ(ShareError(0.5, 0), 1);
}

// In 2,000 draws the true share lies within the error in 95 % of the draws, and not in all of them.
TEST(ShareError, CoversTheTruth) {
  std::mt19937 random(1);
  for (const double truth : {0.02, 0.3}) {
    std::binomial_distribution<int> draw(400, truth);
    int covered = 0;
    constexpr int kDraws = 2000;
    for (int i = 0; i < kDraws; ++i) {
      const double share = draw(random) / 400.0;
      covered += std::fabs(share - truth) <= ShareError(share, 400);
    }
    EXPECT_GE(covered, 0.945 * kDraws) << truth;
    EXPECT_LE(covered, 0.995 * kDraws) << truth;
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
