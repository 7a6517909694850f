// The sums of waits: each wait is in them once, and an estimate has the factor that its events give.
#include "profiler/collect/blame/wait_rows.h"

#include <gtest/gtest.h>

namespace ompprof::collect {
namespace {

TEST(WaitRows, EachWaitCountsOnce) {
  WaitCounts counts{};
  uint64_t sum = 0;
  uint64_t paths = 0;
  for (uint64_t ns = 1; ns <= 1000; ++ns) {
    const uint64_t path_ns = ns % 3 == 0 ? ns : 0;
    AddWait(&counts, ns, path_ns);
    sum += ns;
    paths += path_ns;
    ASSERT_EQ(counts.total_ns.load(), sum) << "after wait " << ns;
  }
  EXPECT_EQ(counts.count.load(), 1000u);
  EXPECT_EQ(counts.max_ns.load(), 1000u);
  EXPECT_EQ(counts.path_ns.load(), paths);
}

TEST(WaitRows, AWaitWithoutRoomIsNoFault) { AddWait(nullptr, 5, 5); }

TEST(WaitRows, EstimatesAreScaledToTheEvents) {
  WaitCounts counts{};
  EXPECT_EQ(EstimateScale(counts), 1) << "no window has found a wait";
  for (int i = 0; i < 100; ++i) {
    AddEstimate(&counts, 1000, 1);
    CountInWindow(&counts, kWindowWeightOfOne);
  }
  EXPECT_EQ(counts.estimated_ns.load(), 100000u);
  counts.estimated_count.store(100);
  EXPECT_EQ(EstimateScale(counts), 1) << "windows found each event";
  counts.estimated_count.store(150);
  EXPECT_EQ(EstimateScale(counts), 1.5) << "windows found two of three";
  counts.estimated_count.store(50);
  EXPECT_EQ(EstimateScale(counts), 0.5);
  counts.estimated_count.store(1000000);
  EXPECT_EQ(EstimateScale(counts), 4) << "windows came late";
}

}  // namespace
}  // namespace ompprof::collect
