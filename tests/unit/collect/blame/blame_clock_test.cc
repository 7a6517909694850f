// The clock of waiting: threads owe what others waited while they worked, and nothing is lost. Times are made up; each
// expectation follows by hand from who worked and who waited.
#include "profiler/collect/blame/blame_clock.h"

#include <gtest/gtest.h>

namespace ompprof::collect {
namespace {

constexpr BlameClock::Charge kNothing{0, 0};

void ChangeParticipation(BlameClock* clock, Participation from, Participation to, uint64_t now_ns, double passed = 0) {
  clock->Lock();
  clock->Advance(now_ns, passed);
  clock->Add(from, -1);
  clock->Add(to, 1);
  clock->Unlock();
}

BlameClock::Reading Read(const BlameClock& clock, uint64_t now_ns, const BlameClock::Charge& passed = kNothing) {
  BlameClock::Reading reading{};
  EXPECT_TRUE(clock.Read(now_ns, passed, &reading));
  return reading;
}

// Four threads are done one after the other. The last owes for three waiting threads, the thread before it for two by
// half, ...
TEST(BlameClock, ChargesAsTheCountsChange) {
  BlameClock clock{};
  clock.Reset(1000, 0);
  clock.Add(Participation::kWorking, 4);
  EXPECT_EQ(Read(clock, 1300).working.debt, 0);
  ChangeParticipation(&clock, Participation::kWorking, Participation::kWaiting, 1300);
  EXPECT_DOUBLE_EQ(Read(clock, 1600).working.debt, 100);
  EXPECT_DOUBLE_EQ(Read(clock, 1600).working.rate, 1.0 / 3);
  ChangeParticipation(&clock, Participation::kWorking, Participation::kWaiting, 1600);
  ChangeParticipation(&clock, Participation::kWorking, Participation::kWaiting, 1700);
  EXPECT_DOUBLE_EQ(Read(clock, 1800).working.debt, 100 + 100 + 300);
  ChangeParticipation(&clock, Participation::kWorking, Participation::kWaiting, 1800);  // all wait
  EXPECT_DOUBLE_EQ(Read(clock, 1900).working.debt, 500);
  ChangeParticipation(&clock, Participation::kWaiting, Participation::kWorking, 1900);
  const BlameClock::Totals totals = clock.Sums();
  EXPECT_EQ(totals.waited_ns, 300u + 2 * 100u + 3 * 100u + 4 * 100u);
  EXPECT_EQ(totals.unblamed_ns, 400u);
  EXPECT_EQ(totals.partial_ns, 600u);
  // Nothing is lost: threads 2, 3 and 4 owe what they read at their ends.
  EXPECT_DOUBLE_EQ(100.0 + 200 + 500, static_cast<double>(totals.waited_ns - totals.unblamed_ns));
}

TEST(BlameClock, ThreadsThatQueueAreNotCharged) {
  BlameClock clock{};
  clock.Reset(0, 0);
  clock.Add(Participation::kWorking, 3);
  ChangeParticipation(&clock, Participation::kWorking, Participation::kQueueing, 100);
  EXPECT_EQ(Read(clock, 200).working.debt, 0);
  ChangeParticipation(&clock, Participation::kWorking, Participation::kWaiting, 200);
  EXPECT_DOUBLE_EQ(Read(clock, 300).working.debt, 100);  // one waits, one works
}

TEST(BlameClock, TasksAreBlamedByTheirWaiters) {
  BlameClock clock{};
  clock.Reset(0, 0);
  clock.Add(Participation::kWorking, 4);
  ChangeParticipation(&clock, Participation::kWorking, Participation::kWaitingForTask, 0);
  // No thread executes a task: all are to blame.
  EXPECT_DOUBLE_EQ(Read(clock, 300).working.debt, 100);
  ChangeParticipation(&clock, Participation::kWorking, Participation::kExecutingTask, 300);
  const double before = Read(clock, 300).executing_task.debt;
  EXPECT_DOUBLE_EQ(Read(clock, 400).working.debt, 100);
  EXPECT_DOUBLE_EQ(Read(clock, 400).executing_task.debt - before, 100);
  EXPECT_DOUBLE_EQ(Read(clock, 400).executing_task.rate, 1);
  EXPECT_DOUBLE_EQ(Read(clock, 400).working.rate, 0);
  // A thread at a barrier blames all working threads, in tasks or not.
  ChangeParticipation(&clock, Participation::kWorking, Participation::kWaiting, 400);
  EXPECT_DOUBLE_EQ(Read(clock, 500).working.debt, 100 + 50);
  EXPECT_DOUBLE_EQ(Read(clock, 500).executing_task.debt - before, 100 + 100 + 50);
}

TEST(BlameClock, SharesWhatIsPassedToIt) {
  BlameClock clock{};
  clock.Reset(0, 1000);
  clock.Add(Participation::kWorking, 2);
  EXPECT_DOUBLE_EQ(Read(clock, 100, {1100, 1}).working.debt, 50);
  EXPECT_DOUBLE_EQ(Read(clock, 100, {1100, 1}).working.rate, 0.5);
  ChangeParticipation(&clock, Participation::kWorking, Participation::kWaiting, 100, 1100);
  EXPECT_DOUBLE_EQ(Read(clock, 200, {1200, 1}).working.debt, 50 + 100 + 100);
  ChangeParticipation(&clock, Participation::kWorking, Participation::kWaiting, 200, 1200);
  ChangeParticipation(&clock, Participation::kWaiting, Participation::kWorking, 300, 1300);
  EXPECT_EQ(clock.Sums().passed_ns, 300u);
  EXPECT_EQ(clock.Sums().unblamed_ns, 200u + 100u);
  // Unknown time outside is no reason to charge any thread.
  EXPECT_DOUBLE_EQ(Read(clock, 300, {0, 0}).working.debt, 250);
}

// A signal handler of the program has jumped out of a change, so that nobody ends it.
TEST(BlameClock, AChangeThatWasLeftIsTakenOver) {
  BlameClock clock{};
  clock.Reset(1000, 0);
  clock.Add(Participation::kWorking, 2);
  clock.Lock();
  ChangeParticipation(&clock, Participation::kWorking, Participation::kWaiting, 1300);
  EXPECT_DOUBLE_EQ(Read(clock, 1600).working.debt, 300);
  // It was not left: its thread had no processor for so long.
  clock.Unlock();
  EXPECT_DOUBLE_EQ(Read(clock, 1600).working.debt, 300);
}

TEST(BlameClock, AChangeThatComesLateCountsFromTheOneBefore) {
  BlameClock clock{};
  clock.Reset(0, 0);
  clock.Add(Participation::kWorking, 2);
  ChangeParticipation(&clock, Participation::kWorking, Participation::kWaiting, 200);
  ChangeParticipation(&clock, Participation::kWaiting, Participation::kWorking, 190);
  EXPECT_EQ(clock.Sums().waited_ns, 0u);
  EXPECT_EQ(Read(clock, 195).working.debt, 0);
}

TEST(BlameClock, CannotBeReadWhileItChanges) {
  BlameClock clock{};
  clock.Reset(0, 0);
  BlameClock::Reading reading;
  clock.Lock();
  EXPECT_FALSE(clock.Read(0, kNothing, &reading));
  clock.Unlock();
  EXPECT_TRUE(clock.Read(0, kNothing, &reading));
}

}  // namespace
}  // namespace ompprof::collect
