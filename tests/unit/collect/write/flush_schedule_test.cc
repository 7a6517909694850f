// The moments at which the ranks of a large job flush.
#include "profiler/collect/write/flush_schedule.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace ompprof::collect {
namespace {

constexpr uint64_t kSecond = 1000000000;
constexpr uint64_t kUnix = 1790000000ull * kSecond;

// The most flushes of one interval that come within `window` of each other. Rank `i` starts at `start(i)`.
template <typename Start>
size_t MostWithin(uint64_t window, uint32_t ranks, Start start) {
  std::vector<uint64_t> times;
  for (uint32_t rank = 0; rank < ranks; ++rank) {
    FlushSchedule schedule;
    const uint64_t begun = start(rank), boot = rank * 7919;  // each node has a monotonic clock of its own
    schedule.Begin(rank, kSecond, kUnix + begun, boot + begun);
    uint64_t now = begun;
    for (int flush = 0; flush < 4; ++flush) now += schedule.UntilNext(boot + now);
    times.push_back(now % kSecond);
  }
  std::sort(times.begin(), times.end());
  size_t most = 0;
  for (size_t first = 0, last = 0; last < times.size(); ++last) {
    while (times[last] - times[first] > window) ++first;
    most = std::max(most, last - first + 1);
  }
  return most;
}

// A millisecond has 10 of 10,000 flushes, if they are spread evenly.
TEST(FlushSchedule, TenThousandRanksFlushApart) {
  const auto together = [](uint32_t) { return uint64_t{0}; };
  const auto one_by_one = [](uint32_t rank) { return rank * uint64_t{300000}; };
  const auto at_random = [](uint32_t rank) { return (rank * uint64_t{2862933555777941757}) >> 30; };
  EXPECT_LE(MostWithin(kSecond / 1000, 10000, together), 13u);
  EXPECT_LE(MostWithin(kSecond / 1000, 10000, one_by_one), 13u);
  EXPECT_LE(MostWithin(kSecond / 1000, 10000, at_random), 13u);
  // Also on a node of 128 ranks: one in 7.8 ms.
  EXPECT_LE(MostWithin(kSecond / 128, 128, together), 3u);
}

TEST(FlushSchedule, ComesOnceInAnInterval) {
  for (const uint32_t number : {0u, 1u, 17u, 4711u, 4000000000u}) {
    FlushSchedule schedule;
    schedule.Begin(number, kSecond, kUnix + 123456789, 50);
    const uint64_t first = schedule.UntilNext(50);
    EXPECT_GT(first, 0u);
    EXPECT_LE(first, kSecond);
    EXPECT_EQ(schedule.UntilNext(50), first) << "asked again";
    EXPECT_EQ(schedule.UntilNext(50 + first), kSecond);
    EXPECT_EQ(schedule.UntilNext(50 + first + kSecond / 2), kSecond / 2) << "a flush in between moves nothing";
    EXPECT_EQ(schedule.UntilNext(50 + first + 5 * kSecond + 1), kSecond - 1) << "four are missed";
  }
}

TEST(FlushSchedule, DependsOnTheRankAlone) {
  FlushSchedule early, late;
  early.Begin(5, kSecond, kUnix, 0);
  late.Begin(5, kSecond, kUnix + 3 * kSecond + 77, 900);
  EXPECT_EQ((late.UntilNext(900) + 77) % kSecond, early.UntilNext(0) % kSecond);
  EXPECT_EQ(early.UntilNext(0), FlushSchedule::PlaceOf(5, kSecond));
  EXPECT_LT(FlushSchedule::PlaceOf(UINT32_MAX, UINT64_MAX / 4), UINT64_MAX / 4) << "no overflow";
}

}  // namespace
}  // namespace ompprof::collect
