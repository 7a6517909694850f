#include "profiler/collect/ompt/team.h"

#include <gtest/gtest.h>

namespace ompprof::collect {
namespace {

constexpr BlameClock::Charge kNothing{0, 0};

TEST(TeamTest, BeginsOnce) {
  Team team{};
  team.Reset(4);
  EXPECT_TRUE(team.Begin(3));
  EXPECT_FALSE(team.Begin(3));
  EXPECT_EQ(team.size.load(), 3u);
}

TEST(TeamTest, SumsOfWaiting) {
  Team team{};
  team.Reset(3);
  team.clock.Reset(50, 0);
  team.Begin(3);
  team.Change(Doing::kWorking, Doing::kWaiting, 100, kNothing, nullptr);
  team.Change(Doing::kWorking, Doing::kWaiting, 150, kNothing, nullptr);
  team.Change(Doing::kWaiting, Doing::kWorking, 200, kNothing, nullptr);
  team.Change(Doing::kWaiting, Doing::kWorking, 300, kNothing, nullptr);
  const BlameClock::Totals totals = team.End(1000, kNothing);
  EXPECT_EQ(totals.partial_ns, 200u);
  EXPECT_EQ(totals.waited_ns, 50u + 2 * 50u + 100u);
  EXPECT_EQ(totals.unblamed_ns, 0u);
}

Team::Arrival Arrive(Team* team, uint64_t now_ns, bool at_end) {
  Team::Arrival arrival{at_end, false, 0};
  team->Change(Doing::kWorking, Doing::kWaiting, now_ns, kNothing, &arrival);
  if (!at_end) team->Change(Doing::kWaiting, Doing::kWorking, now_ns, kNothing, nullptr);
  return arrival;
}

TEST(TeamTest, EveryNthArrivalIsTheLast) {
  Team team{};
  team.Reset(2);
  team.Begin(2);
  EXPECT_FALSE(Arrive(&team, 100, false).last);
  const Team::Arrival second = Arrive(&team, 170, false);
  EXPECT_TRUE(second.last);
  EXPECT_EQ(second.by_ns, 70u);
  EXPECT_FALSE(Arrive(&team, 500, false).last);
  EXPECT_TRUE(Arrive(&team, 501, false).last);
}

// A barrier inside that not all threads came to (the region was cancelled) does not put the last one out of step.
TEST(TeamTest, TheRegionsEndIsCountedByItself) {
  Team team{};
  team.Reset(2);
  team.Begin(2);
  EXPECT_FALSE(Arrive(&team, 100, false).last);
  EXPECT_FALSE(Arrive(&team, 200, true).last);
  const Team::Arrival last = Arrive(&team, 230, true);
  EXPECT_TRUE(last.last);
  EXPECT_EQ(last.by_ns, 30u);
}

TEST(TeamTest, OneThreadIsNoLastArriver) {
  Team team{};
  team.Reset(1);
  team.Begin(1);
  EXPECT_FALSE(Arrive(&team, 100, true).last);
}

TEST(TeamTest, LargeTeamsHaveMembersToo) {
  Team team{};
  team.Reset(100);
  ASSERT_NE(team.member(99), nullptr);
  EXPECT_EQ(team.member(100), nullptr);
  EXPECT_FALSE(team.IsAtEnd(*team.member(99)));
  for (const uint32_t i : {99, 15}) team.ArriveAtEnd(team.member(i), 5, 6, 0);
  EXPECT_TRUE(team.IsAtEnd(*team.member(99)));
  EXPECT_TRUE(team.IsAtEnd(*team.member(15)));
  EXPECT_FALSE(team.IsAtEnd(*team.member(16)));
  team.Reset(100);
  EXPECT_FALSE(team.IsAtEnd(*team.member(99)));
  EXPECT_FALSE(team.IsAtEnd(*team.member(15)));
}

}  // namespace
}  // namespace ompprof::collect
