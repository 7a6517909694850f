#include "profiler/collect/ompt/team.h"

#include <gtest/gtest.h>

namespace ompprof::collect {
namespace {

TEST(TeamTest, TimeWithFewerThanAllBusy) {
  Team team{};
  team.Reset(3);
  team.Wait(100);
  team.Wait(150);
  team.Resume(200);
  EXPECT_EQ(team.partial_ns.load(), 0u);  // one still waits
  team.Resume(300);
  EXPECT_EQ(team.partial_ns.load(), 200u);
  team.Wait(1000);
  team.Resume(1001);
  EXPECT_EQ(team.partial_ns.load(), 201u);
}

TEST(TeamTest, EveryNthArrivalIsTheLast) {
  Team team{};
  team.Reset(2);
  uint64_t by = 0;
  EXPECT_FALSE(team.Arrive(2, 100, &by));
  EXPECT_TRUE(team.Arrive(2, 170, &by));
  EXPECT_EQ(by, 70u);
  EXPECT_FALSE(team.Arrive(2, 500, &by));
  EXPECT_TRUE(team.Arrive(2, 501, &by));
  EXPECT_EQ(by, 1u);
  EXPECT_FALSE(team.Arrive(1, 600, &by));  // a team of one waits for nobody
}

TEST(TeamTest, LargeTeamsHaveMembersToo) {
  Team team{};
  team.Reset(100);
  ASSERT_NE(team.member(99), nullptr);
  EXPECT_EQ(team.member(100), nullptr);
  EXPECT_FALSE(team.IsAtEnd(*team.member(99)));
  for (const uint32_t i : {99, 15}) team.ArriveAtEnd(team.member(i), 5, 6);
  EXPECT_TRUE(team.IsAtEnd(*team.member(99)));
  EXPECT_TRUE(team.IsAtEnd(*team.member(15)));
  EXPECT_FALSE(team.IsAtEnd(*team.member(16)));
  team.Reset(100);
  EXPECT_FALSE(team.IsAtEnd(*team.member(99)));
  EXPECT_FALSE(team.IsAtEnd(*team.member(15)));
}

TEST(TeamTest, WhoQueuesForALock) {
  Team team{};
  team.Reset(20);
  EXPECT_EQ(team.Queueing(20), 0);
  team.member(3)->queueing_in = team.instance;
  team.member(19)->queueing_in = team.instance;
  EXPECT_EQ(team.Queueing(20), 2);
  EXPECT_EQ(team.Queueing(19), 1);
  team.Reset(20);
  EXPECT_EQ(team.Queueing(20), 0) << "of another instance";
}

}  // namespace
}  // namespace ompprof::collect
