// Waits and late arrivals of a team: sums and states after each event, at made-up times. Late, missing and surplus
// arrivals at barriers must not put a team out of step.
#include "profiler/collect/blame/team.h"

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
  Team::Membership first{}, second{};
  team.ChangeParticipation(&first, Participation::kWaiting, 100, kNothing, nullptr);
  team.ChangeParticipation(&second, Participation::kWaiting, 150, kNothing, nullptr);
  team.ChangeParticipation(&first, Participation::kWorking, 200, kNothing, nullptr);
  team.ChangeParticipation(&second, Participation::kWorking, 300, kNothing, nullptr);
  const BlameClock::Totals totals = team.End(1000, kNothing);
  EXPECT_EQ(totals.partial_ns, 200u);
  EXPECT_EQ(totals.waited_ns, 50u + 2 * 50u + 100u);
  EXPECT_EQ(totals.unblamed_ns, 0u);
}

Team::Arrival Arrive(Team* team, Team::Membership* thread, uint64_t now_ns, bool at_end = false) {
  Team::Arrival arrival{at_end, false, 0};
  team->ChangeParticipation(thread, Participation::kWaiting, now_ns, kNothing, &arrival);
  return arrival;
}

TEST(TeamTest, EveryNthArrivalIsTheLast) {
  Team team{};
  team.Reset(2);
  team.Begin(2);
  Team::Membership a{}, b{};
  EXPECT_FALSE(Arrive(&team, &a, 100).last);
  const Team::Arrival second = Arrive(&team, &b, 170);
  EXPECT_TRUE(second.last);
  EXPECT_EQ(second.by_ns, 70u);
  EXPECT_FALSE(Arrive(&team, &a, 500).last);
  EXPECT_TRUE(Arrive(&team, &b, 501).last);
}

// A worker that leaves before the primary has reported the region's end does not wait longer.
TEST(TeamTest, WorkersThatLeaveEarlyWaitNoLonger) {
  Team team{};
  team.Reset(3);
  team.Begin(3);
  Team::Membership primary{}, worker{}, other{};
  for (Team::Membership* thread : {&primary, &worker, &other}) thread->instance = team.instance;
  Arrive(&team, &worker, 100, true);
  team.ArriveAtEnd(team.member(1), 100, 100, 0, 0);
  Arrive(&team, &other, 100, true);
  team.ArriveAtEnd(team.member(2), 100, 100, 0, 0);
  Arrive(&team, &primary, 400, true);
  EXPECT_TRUE(team.Depart(worker, team.member(1), 450));
  const BlameClock::Totals totals = team.End(1000, kNothing);
  EXPECT_EQ(totals.waited_ns, 2 * 300u + 3 * 50u + 2 * 550u);
  EXPECT_EQ(totals.unblamed_ns, 3 * 50u + 2 * 550u);
  EXPECT_EQ(team.departed, 1u);
  EXPECT_EQ(team.member(1)->waited_ns.load(), 350u);
  EXPECT_GT(team.member(1)->arrived_ns.load(), 1000u) << "nothing is added at the end";
  EXPECT_FALSE(team.Depart(other, team.member(2), 1001)) << "the region has ended";
  team.Reset(2);
  EXPECT_FALSE(team.Depart(other, team.member(2), 1002)) << "the team is another region's";
  EXPECT_EQ(team.departed, 0u);
}

// A barrier inside, to which not all threads came (the region was cancelled), does not put the last barrier out of
// step.
TEST(TeamTest, TheRegionsEndIsCountedByItself) {
  Team team{};
  team.Reset(2);
  team.Begin(2);
  Team::Membership a{}, b{};
  EXPECT_FALSE(Arrive(&team, &a, 100).last);
  EXPECT_FALSE(Arrive(&team, &a, 200, true).last);
  const Team::Arrival last = Arrive(&team, &b, 230, true);
  EXPECT_TRUE(last.last);
  EXPECT_EQ(last.by_ns, 30u);
}

TEST(TeamTest, OneThreadIsNoLastArriver) {
  Team team{};
  team.Reset(1);
  team.Begin(1);
  Team::Membership only{};
  EXPECT_FALSE(Arrive(&team, &only, 100, true).last);
}

// All threads have come to a barrier. They work again, whether they have told that they left or not. The time that they
// take to leave is waiting, and unattributed.
TEST(TeamTest, TheLastArrivalAtABarrierSetsAllToWork) {
  Team team{};
  team.Reset(2);
  team.clock.Reset(0, 0);
  team.Begin(2);
  Team::Membership a{}, b{};
  Arrive(&team, &a, 100);
  Team::Arrival arrival{false, false, 0};
  const Team::Changed last = team.ChangeParticipation(&b, Participation::kWaiting, 300, kNothing, &arrival);
  EXPECT_TRUE(last.worked);
  EXPECT_DOUBLE_EQ(last.reading.working.debt, 200);  // b, for a
  EXPECT_EQ(team.clock.Count(Participation::kWorking), 2);
  EXPECT_EQ(team.clock.Count(Participation::kWaiting), 0);
  ASSERT_TRUE(team.MayLeave(a));
  Team::Leave(&a, 310);
  EXPECT_TRUE(team.Knows(a));
  Team::Leave(&b, 350);
  // From 0 on b keeps a up once more.
  Arrive(&team, &a, 400);
  BlameClock::Reading reading{};
  ASSERT_TRUE(team.clock.Read(460, kNothing, &reading));
  EXPECT_DOUBLE_EQ(reading.working.debt, 60);
  const Team::Changed end = team.ChangeParticipation(&b, Participation::kQueueing, 500, kNothing, nullptr);
  EXPECT_TRUE(end.worked);
  EXPECT_EQ(end.from, Participation::kWorking);
  EXPECT_DOUBLE_EQ(end.reading.working.debt, 100);
  EXPECT_FALSE(b.at_barrier);
  EXPECT_EQ(a.late_ns + b.late_ns, 10u + 50u);
  EXPECT_EQ(team.End(500, kNothing).waited_ns, 200u + 100u);
}

// Threads still in the barrier are told apart from those that have left when other news of them comes.
TEST(TeamTest, ABarrierIsLeftByAChangeToo) {
  Team team{};
  team.Reset(2);
  team.clock.Reset(0, 0);
  team.Begin(2);
  Team::Membership a{}, b{};
  Arrive(&team, &a, 100);
  Arrive(&team, &b, 300);
  team.each_tells = true;
  EXPECT_FALSE(team.MayLeave(a));
  EXPECT_FALSE(team.ChangeParticipation(&a, Participation::kWorking, 320, kNothing, nullptr).worked);
  EXPECT_FALSE(team.ChangeParticipation(&b, Participation::kWorking, 330, kNothing, nullptr).worked);
  EXPECT_EQ(team.clock.Count(Participation::kWorking), 2);
  EXPECT_EQ(a.late_ns + b.late_ns, 20u + 30u);
}

// Threads execute tasks in a barrier that all have come to. The others wait on.
TEST(TeamTest, TasksKeepABarrierUp) {
  Team team{};
  team.Reset(2);
  team.clock.Reset(0, 0);
  team.Begin(2);
  team.each_tells = true;
  Team::Membership a{}, b{};
  Arrive(&team, &a, 100);
  EXPECT_TRUE(Arrive(&team, &b, 200).last);
  EXPECT_EQ(team.clock.Count(Participation::kWaiting), 2);
  team.ChangeParticipation(&b, Participation::kExecutingTask, 200, kNothing, nullptr);
  team.ChangeParticipation(&b, Participation::kWaiting, 500, kNothing, nullptr);
  team.ChangeParticipation(&a, Participation::kWorking, 510, kNothing, nullptr);
  team.ChangeParticipation(&b, Participation::kWorking, 510, kNothing, nullptr);
  EXPECT_EQ(team.clock.Count(Participation::kWorking), 2);
  const BlameClock::Totals totals = team.End(600, kNothing);
  EXPECT_EQ(totals.waited_ns, 100u + 300u + 2 * 10u);
  EXPECT_EQ(totals.unblamed_ns, 2 * 10u);
  EXPECT_EQ(a.late_ns + b.late_ns, 0u);
}

// The threads that came to a barrier of a cancelled region leave it, without the others.
TEST(TeamTest, ABarrierThatNotAllCameToIsKnownLate) {
  Team team{};
  team.Reset(2);
  team.clock.Reset(0, 0);
  team.Begin(2);
  Team::Membership a{}, b{};
  Arrive(&team, &a, 100);
  Team::Leave(&a, 200);
  EXPECT_FALSE(team.Knows(a));
  EXPECT_FALSE(team.ChangeParticipation(&a, Participation::kWorking, 300, kNothing, nullptr).worked);
  EXPECT_TRUE(team.Knows(a));
  EXPECT_EQ(team.clock.Count(Participation::kWorking), 2);
  // For the counts, the next barrier's second arrival is not its last. No thread goes to work by it.
  Arrive(&team, &b, 400);
  EXPECT_EQ(team.clock.Count(Participation::kWaiting), 1);
  EXPECT_EQ(a.late_ns + b.late_ns, 0u);
  EXPECT_FALSE(team.MayLeave(b));
}

// A thread that queues for a lock is not busy.
TEST(TeamTest, IsNotAllBusyWhileAThreadQueues) {
  Team team{};
  team.Reset(2);
  team.clock.Reset(0, 0);
  team.Begin(2);
  Team::Membership a{};
  team.ChangeParticipation(&a, Participation::kQueueing, 100, kNothing, nullptr);
  team.ChangeParticipation(&a, Participation::kWorking, 250, kNothing, nullptr);
  const BlameClock::Totals totals = team.End(600, kNothing);
  EXPECT_EQ(totals.partial_ns, 150u);
  EXPECT_EQ(totals.waited_ns, 0u);
}

TEST(TeamTest, LargeTeamsHaveMembersToo) {
  Team team{};
  team.Reset(100);
  ASSERT_NE(team.member(99), nullptr);
  EXPECT_EQ(team.member(100), nullptr);
  EXPECT_FALSE(team.IsAtEnd(*team.member(99)));
  for (const uint32_t i : {99, 15}) team.ArriveAtEnd(team.member(i), 5, 6, 0, 0);
  EXPECT_TRUE(team.IsAtEnd(*team.member(99)));
  EXPECT_TRUE(team.IsAtEnd(*team.member(15)));
  EXPECT_FALSE(team.IsAtEnd(*team.member(16)));
  team.Reset(100);
  EXPECT_FALSE(team.IsAtEnd(*team.member(99)));
  EXPECT_FALSE(team.IsAtEnd(*team.member(15)));
}

}  // namespace
}  // namespace ompprof::collect
