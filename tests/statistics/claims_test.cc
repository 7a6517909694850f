// The chances of wrong verdicts, by simulation.
#include "tests/statistics/claims.h"

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <random>
#include <utility>

namespace ompprof::testing {
namespace {

struct Counts {
  int holds = 0, broken = 0, open = 0;
  double recordings = 0;  // mean
};

// Claims of at most 1, about a figure that is off by `bias` and whose noise `draw` makes.
template <typename Draw>
Counts Simulate(int times, double bias, double told_deviation, Draw draw, bool both_sides = true) {
  Counts counts;
  for (int i = 0; i < times; ++i) {
    Claim claim(1, both_sides);
    Verdict verdict = Verdict::kOpen;
    int recordings = 0;
    while (verdict == Verdict::kOpen && recordings < kMostRecordings) {
      claim.Add(bias + draw(), told_deviation);
      ++recordings;
      verdict = claim.verdict();
    }
    (verdict == Verdict::kHolds ? counts.holds : verdict == Verdict::kBroken ? counts.broken : counts.open)++;
    counts.recordings += static_cast<double>(recordings) / times;
  }
  return counts;
}

std::mt19937_64 random_numbers(1);  // NOLINT(cert-msc51-cpp): each run simulates the same

auto Normal(double deviation) {
  return [deviation] { return std::normal_distribution<double>(0, deviation)(random_numbers); };
}

// One recording in five is off by up to 30, on one side: another program took the machine.
double Disturbed() {
  const double off = Normal(0.3)();
  return std::uniform_real_distribution<double>(0, 1)(random_numbers) < 0.2
             ? off + std::uniform_real_distribution<double>(0, 30)(random_numbers)
             : off;
}

TEST(Claims, AQuietMachineDecidesAfterOneOrTwo) {
  const Counts counts = Simulate(10000, 0, 0.3, Normal(0.3));
  EXPECT_EQ(counts.broken, 0);
  EXPECT_EQ(counts.open, 0);
  EXPECT_LT(counts.recordings, 1.1);
  EXPECT_LT(Simulate(10000, 0, 0.5, Normal(0.5)).recordings, 2);
}

TEST(Claims, AClaimThatHoldsIsNotCalledBroken) {
  for (const double bias : {0., 0.5, 1., -1.}) {
    for (const double deviation : {0.1, 0.3, 1., 3.})
      EXPECT_EQ(Simulate(3000, bias, 0, Normal(deviation)).broken, 0) << bias << " " << deviation;
    EXPECT_EQ(Simulate(3000, bias, 0, Disturbed).broken, 0) << bias;
  }
}

// With a limit of 1e-3 in place of 1e-6, this many runs could tell. The stake's growth is what counts: at the edge of
// the claim each recording is a fair coin.
TEST(Claims, AtTheEdgeAMillionRunsOfLuckAreNeeded) {
  Claim claim(1, true);
  for (int i = 1; i <= 22; ++i) {
    claim.Add(1.01, 0);
    EXPECT_NE(claim.verdict(), Verdict::kBroken) << i << " of one side: once in " << std::pow(2, i);
  }
  claim.Add(1.01, 0);
  EXPECT_EQ(claim.verdict(), Verdict::kBroken);
}

TEST(Claims, TwiceAsMuchIsSeen) {
  constexpr int kTimes = 5000;
  for (const double deviation : {0.1, 0.3, 0.5, 1.}) {
    for (const double bias : {2., -2.}) {
      const Counts counts = Simulate(kTimes, bias, deviation, Normal(deviation));
      EXPECT_LE(counts.holds, 0.01 * kTimes) << deviation;
      const int most_open = deviation <= 0.5 ? kTimes / 100 : kTimes;
      EXPECT_LE(counts.open, most_open) << deviation;
    }
  }
}

TEST(Claims, NoNumberIsFarOff) {
  Claim claim(1, true);
  for (int i = 0; i < kMostRecordings && claim.verdict() == Verdict::kOpen; ++i) claim.Add(std::nan(""), 0);
  EXPECT_EQ(claim.verdict(), Verdict::kBroken);
}

// The noise is many times the claim, on its right side or around it.
TEST(Claims, NoiseThatDoesNotMatterDecidesInTen) {
  const Counts far = Simulate(1000, -50, 0, Normal(20), false);
  EXPECT_GE(far.holds, 990);
  EXPECT_LT(far.recordings, 12);
  const Counts wide = Simulate(1000, 0, 0, Normal(1));
  EXPECT_EQ(wide.holds, 1000);
  EXPECT_LT(wide.recordings, 15);
}

TEST(Claims, OneSide) {
  EXPECT_EQ(Simulate(1000, -50, 0, Normal(1), false).holds, 1000);
  EXPECT_EQ(Simulate(1000, 5, 0, Normal(0.3), false).broken, 1000);
}

TEST(Claims, MostRecordingsDecide) {
  Claims once;
  once.Mostly("a", false);
  EXPECT_EQ(once.verdict(), Verdict::kOpen);
  for (int i = 0; i < 3; ++i) once.Mostly("a", true);
  EXPECT_EQ(once.verdict(), Verdict::kHolds);
  Claims never;
  for (int i = 0; i < 25; ++i) never.Mostly("a", false);
  EXPECT_EQ(never.verdict(), Verdict::kBroken);
}

// A share that a wrong call site of one in four moves by 12 points, a whole that lacks a fifth.
TEST(Claims, CoarseOnesSeeGrossFaults) {
  Claims coarse(3);
  coarse.Near("a share", 52.5, 50, 1);
  coarse.Mostly("a", true);
  EXPECT_EQ(coarse.verdict(), Verdict::kHolds);
  Claims faulty(3);
  for (int i = 0; i < 30; ++i) {
    faulty.Near("a share", 38, 50, 1);
    faulty.Near("the whole", 80, 100, 1.5);
    faulty.Mostly("a", false);
  }
  EXPECT_EQ(faulty.Text(),
            "a: off by 1 (1 to 1 in 30 recordings), claimed: at most 0.4\n"
            "a share: off by -12 (-12 to -12 in 30 recordings), claimed: at most 3\n"
            "the whole: off by -20 (-20 to -20 in 30 recordings), claimed: at most 4.5\n");
}

TEST(Claims, NamesTheFigureThatIsOff) {
  Claims claims;
  for (int i = 0; i < 30; ++i) {
    claims.Near("a", 50.1, 50, 1);
    claims.AtMost("b", 7, 1, 2);
    claims.AtLeast("c", 95, 96, 4);
  }
  EXPECT_EQ(claims.verdict(), Verdict::kBroken);
  EXPECT_EQ(claims.Text(), "b: off by 6 (6 to 6 in 30 recordings), claimed: at most 2\n");
}

TEST(Decide, SkipsWhatTheTimeDoesNotDecide) {
  for (const auto& [most_time, expected] : {std::pair{std::chrono::minutes(0), 1}, {kMostTime, kMostRecordings}}) {
    int recordings = 0;
    ::testing::TestPartResultArray results;
    {
      const ::testing::ScopedFakeTestPartResultReporter reporter(
          ::testing::ScopedFakeTestPartResultReporter::INTERCEPT_ONLY_CURRENT_THREAD, &results);
      Decide([&](Claims* claims) { claims->Mostly("a", ++recordings % 2 == 0); }, most_time);
    }
    EXPECT_EQ(recordings, expected);
    ASSERT_EQ(results.size(), 1);
    EXPECT_TRUE(results.GetTestPartResult(0).skipped());
  }
}

}  // namespace
}  // namespace ompprof::testing
