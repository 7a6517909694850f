// Lengths of waits: the collector's counts, and the analysis of its buckets.
#include "profiler/collect/blame/wait_lengths.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <vector>

#include "profiler/analyze/view/wait_lengths.h"
#include "profiler/model/process_profile.h"

namespace ompprof::collect {
namespace {

analyze::WaitLengths Read(const WaitLengths& lengths) {
  WaitStats stats;
  uint32_t before = 0;
  for (uint32_t bucket = 0; bucket < WaitLengths::kBuckets; ++bucket) {
    if (lengths.counts[bucket] == 0) continue;
    stats.add_length_bucket(bucket + 1 - before);
    stats.add_length_count(lengths.counts[bucket]);
    before = bucket + 1;
  }
  return analyze::WaitLengths(stats);
}

double QuantileOf(const std::vector<uint64_t>& waits, double share) {
  auto lengths = std::make_unique<WaitLengths>();
  for (const uint64_t ns : waits) lengths->Add(ns, 1);
  return static_cast<double>(Read(*lengths).Quantile(share));
}

TEST(WaitLengthsTest, BucketsGoUpFourToAPowerOfTwo) {
  EXPECT_EQ(WaitLengths::BucketOf(0), 0u);
  EXPECT_EQ(WaitLengths::BucketOf(63), 0u);
  EXPECT_EQ(WaitLengths::BucketOf(64), 1u);
  EXPECT_EQ(WaitLengths::BucketOf(79), 1u);
  EXPECT_EQ(WaitLengths::BucketOf(80), 2u);
  EXPECT_EQ(WaitLengths::BucketOf(127), 4u);
  EXPECT_EQ(WaitLengths::BucketOf(128), 5u);
  EXPECT_EQ(WaitLengths::BucketOf(UINT64_MAX), WaitLengths::kBuckets - 1);
}

// A wait anywhere in its bucket, from the shortest that are told apart to minutes.
TEST(WaitLengthsTest, OneWaitIsWithinTheError) {
  double worst = 0;
  for (double ns = 64; ns < 2e11; ns = ns * 1.0007 + 1) {
    const auto wait = static_cast<uint64_t>(ns);
    worst = std::max(worst, std::abs(QuantileOf({wait}, 0.95) / static_cast<double>(wait) - 1));
  }
  EXPECT_LE(worst, analyze::WaitLengths::kError);
  EXPECT_GT(worst, 0.1) << "the error that is documented is the true one";
}

TEST(WaitLengthsTest, PercentilesOfManyAreWithinTheError) {
  std::mt19937_64 random(7);
  std::lognormal_distribution<double> length(std::log(20000), 2);
  std::vector<uint64_t> waits;
  for (int i = 0; i < 10000; ++i) waits.push_back(static_cast<uint64_t>(64 + length(random)));
  std::vector<uint64_t> sorted = waits;
  std::sort(sorted.begin(), sorted.end());
  for (const double share : {0.05, 0.5, 0.9, 0.95, 0.99, 1.0}) {
    const auto rank = static_cast<size_t>(std::ceil(share * static_cast<double>(sorted.size())));
    EXPECT_NEAR(QuantileOf(waits, share) / static_cast<double>(sorted[rank - 1]), 1, analyze::WaitLengths::kError)
        << share;
  }
}

TEST(WaitLengthsTest, AWaitThatStandsForOthersWeighsAsMuch) {
  WaitLengths lengths{};
  lengths.Add(1000, 94);
  lengths.Add(1000000, 6);
  EXPECT_NEAR(static_cast<double>(Read(lengths).Quantile(0.94)) / 1000, 1, analyze::WaitLengths::kError);
  EXPECT_NEAR(static_cast<double>(Read(lengths).Quantile(0.95)) / 1000000, 1, analyze::WaitLengths::kError);
}

TEST(WaitLengthsTest, APoolHasAnEndAndIsUsedAgain) {
  auto pool = std::make_unique<WaitLengthsPool>();
  std::vector<WaitLengths*> taken;
  for (uint32_t i = 0; i < WaitLengthsPool::kMost; ++i) {
    taken.push_back(pool->Take());
    ASSERT_NE(taken.back(), nullptr);
    taken.back()->Add(1000, i + 1);
  }
  EXPECT_EQ(pool->Take(), nullptr);
  for (uint32_t i = 0; i < WaitLengthsPool::kMost; ++i) EXPECT_EQ(taken[i]->counts[WaitLengths::BucketOf(1000)], i + 1);
  pool->Clear();
  for (uint32_t i = 0; i < WaitLengthsPool::kMost; ++i) {
    const WaitLengths* again = pool->Take();
    ASSERT_EQ(again, taken[i]);
    for (const auto& count : again->counts) ASSERT_EQ(count, 0u);
  }
}

}  // namespace
}  // namespace ompprof::collect
