// What members did in each piece of the job's time, by known answers.
#include "profiler/unify/member_times.h"

#include <gtest/gtest.h>

namespace ompprof::unify {
namespace {

constexpr uint64_t kMs = 1024;                                // a piece of time, in microseconds
constexpr uint64_t kStart = (uint64_t{1'700'000'000} << 20);  // microseconds since 1970; a piece of any width begins

Member MemberAt(uint64_t start_us, uint64_t duration_us, uint32_t log2_us = 10) {
  Member member;
  member.start_unix_ns = static_cast<int64_t>(start_us * 1000);
  member.duration_ns = duration_us * 1000;
  member.log2_us = log2_us;
  member.threads = 2;
  return member;
}

TimeColumns ColumnsOf(const std::vector<Member>& members) {
  std::vector<const Member*> pointers;
  for (const Member& member : members) pointers.push_back(&member);
  return ColumnsFor(pointers);
}

TEST(TimeColumns, HoldAllMembers) {
  const TimeColumns columns = ColumnsOf({MemberAt(kStart + 3 * kMs, 7 * kMs), MemberAt(kStart, 5 * kMs)});
  EXPECT_EQ(columns.log2_us, 10u);
  EXPECT_EQ(columns.first, kStart >> 10);
  EXPECT_EQ(columns.count, 11u);
  EXPECT_FALSE(columns.from_own_start);
}

TEST(TimeColumns, AreAtMost200) {
  for (const uint64_t duration : {199 * kMs, 200 * kMs, 1'000'000 * kMs}) {
    const TimeColumns columns = ColumnsOf({MemberAt(kStart, duration)});
    EXPECT_LE(columns.count, kMostColumns);
    EXPECT_GT(columns.count, kMostColumns / 2);
  }
  EXPECT_EQ(ColumnsOf({MemberAt(kStart, 5 * kMs, 14), MemberAt(kStart, 5 * kMs)}).log2_us, 14u);
}

TEST(TimeColumns, BeginWithEachMemberIfClocksDiffer) {
  const TimeColumns columns = ColumnsOf({MemberAt(kStart, 10 * kMs), MemberAt(kStart + 3'600'000'000, 8 * kMs)});
  EXPECT_TRUE(columns.from_own_start);
  EXPECT_EQ(columns.log2_us, 10u);
  EXPECT_EQ(columns.count, 12u);
}

TEST(TimeColumns, AreNoneWithoutTimelines) {
  EXPECT_EQ(ColumnsOf({MemberAt(kStart, 10 * kMs, 0)}).count, 0u);
  Plan plan;
  EXPECT_EQ(TimesOf(MemberAt(kStart, 10 * kMs, 0), {}, plan, {10, 5, kStart >> 10, false}).work, "");
}

class MemberTimesTest : public ::testing::Test {
 protected:
  MemberTimesTest() { plan_.sample_uses = {Plan::kWork, Plan::kMpi, Plan::kWait, Plan::kOther}; }

  static std::string Bytes(std::vector<int> shares) { return {shares.begin(), shares.end()}; }

  static constexpr uint64_t kColumn = kMs * 1000;  // nanoseconds
  Plan plan_;
};

TEST_F(MemberTimesTest, AreSharesOfTheThreads) {
  AddedRows rows;
  const uint64_t first = kStart >> 10;
  rows.times = {{first, 0, 2 * kColumn},     {first, 3, kColumn}, {first + 1, 0, kColumn}, {first + 1, 1, kColumn},
                {first + 2, 0, kColumn / 2}, {first + 2, 1, 0},   {first + 2, 2, kColumn}};
  const MemberTimes times = TimesOf(MemberAt(kStart, 3 * kMs), rows, plan_, {10, 4, first, false});
  EXPECT_EQ(times.work, Bytes({255, 128, 64, 0}));
  EXPECT_EQ(times.mpi, Bytes({0, 128, 0, 0}));
  EXPECT_EQ(times.wait, Bytes({0, 0, 128, 0}));
}

// A waiting thread that spins has samples and an exact wait; the time counts once.
TEST_F(MemberTimesTest, CountAWaitOnce) {
  AddedRows rows;
  const uint64_t first = kStart >> 10;
  rows.times = {{first, 2, kColumn}, {first, AddedRows::kNoRow, kColumn}, {first + 1, AddedRows::kNoRow, 2 * kColumn}};
  EXPECT_EQ(TimesOf(MemberAt(kStart, 2 * kMs), rows, plan_, {10, 2, first, false}).wait, Bytes({128, 255}));
}

TEST_F(MemberTimesTest, AddPiecesUpToColumns) {
  AddedRows rows;
  const uint64_t first = kStart >> 10;
  for (uint64_t i = 0; i < 8; ++i) rows.times.push_back({first + i, 0, i < 4 ? 2 * kColumn : i == 4 ? kColumn : 0});
  EXPECT_EQ(TimesOf(MemberAt(kStart, 8 * kMs), rows, plan_, {12, 2, kStart >> 12, false}).work, Bytes({255, 32}));
}

TEST_F(MemberTimesTest, BeginWithTheOwnStart) {
  AddedRows rows;
  const uint64_t late = kStart + 3'600'000'000;
  rows.times = {{(late >> 10) + 1, 0, 2 * kColumn}};
  EXPECT_EQ(TimesOf(MemberAt(late, 2 * kMs), rows, plan_, {10, 4, 0, true}).work, Bytes({0, 255, 0, 0}));
}

// What a damaged file tells of times outside of the run goes to the edges.
TEST_F(MemberTimesTest, StayWithinTheColumns) {
  AddedRows rows;
  const uint64_t first = kStart >> 10;
  rows.times = {{first - 7, 0, kColumn}, {first + 99, 1, UINT64_MAX / 4}};
  const MemberTimes times = TimesOf(MemberAt(kStart, 2 * kMs), rows, plan_, {10, 2, first, false});
  EXPECT_EQ(times.work, Bytes({128, 0}));
  EXPECT_EQ(times.mpi, Bytes({0, 255}));
}

}  // namespace
}  // namespace ompprof::unify
