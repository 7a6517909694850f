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
  team.member(99)->arrived_ns = 5;
  team.member(15)->arrived_ns = 6;
  team.Reset(100);
  EXPECT_EQ(team.member(99)->arrived_ns.load(), 0u);
  EXPECT_EQ(team.member(15)->arrived_ns.load(), 0u);
}

}  // namespace
}  // namespace ompprof::collect
