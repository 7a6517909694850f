// The clock of windows, in which frequent events are timed, and a team under that clock. Times are made up. The clock
// must not run ahead of time, and windows must stand for all the time between them.
#include "profiler/collect/blame/window_clock.h"

#include <gtest/gtest.h>

#include "profiler/collect/base/os.h"
#include "profiler/collect/blame/team.h"

namespace ompprof::collect {
namespace {

constexpr uint64_t kMs = 1000000;
constexpr BlameClock::Charge kNothing{0, 0};

class WindowClockTest : public ::testing::Test {
 protected:
  WindowClockTest() {
    window_clock.Forget();
    window_waited_ns = 0;
  }
  ~WindowClockTest() override { window_clock.Forget(); }

  // A window is over: the clock shows its end.
  static void PassWindow(uint64_t begin_ns, uint64_t length_ns) {
    window_clock.Plan(begin_ns, length_ns);
    EXPECT_EQ(window_clock.Now(), begin_ns + length_ns);
    EXPECT_TRUE(window_clock.IsStill());
  }
};

TEST_F(WindowClockTest, StandsStillBetweenWindows) {
  const uint64_t start = MonotonicNs() - 100 * kMs;
  window_clock.Start(start);
  window_clock.Start(start + kMs);  // the clock shows a time already
  EXPECT_EQ(window_clock.Now(), start);
  EXPECT_EQ(window_clock.windows(), 0u);
  EXPECT_EQ(window_clock.Read().number % 2, 0u);
}

TEST_F(WindowClockTest, EachWindowMakesUpForTheTimeSinceTheOneBefore) {
  const uint64_t start = MonotonicNs() - 100 * kMs;
  window_clock.Start(start);
  const uint32_t stamp = window_clock.stamp();
  PassWindow(start + 19 * kMs, kMs);
  EXPECT_DOUBLE_EQ(window_clock.Speed(), 20);
  EXPECT_NE(window_clock.stamp(), stamp);
  PassWindow(start + 29 * kMs, kMs);
  EXPECT_DOUBLE_EQ(window_clock.Speed(), 10);
  EXPECT_EQ(window_clock.windows(), 2u);
  EXPECT_EQ(window_clock.Read().number, 4u);
}

TEST_F(WindowClockTest, RunsInAWindowAndNeverAheadOfTime) {
  window_clock.Start(MonotonicNs());
  bool ran = false;
  // Another program may have the processor for as long as a window lasts.
  for (int window = 0; window < 50 && !ran; ++window) {
    const uint64_t start = MonotonicNs();
    window_clock.Plan(start + 5 * kMs, 5 * kMs);
    EXPECT_FALSE(window_clock.IsStill());
    uint64_t before = window_clock.Now();
    while (!window_clock.IsStill()) {
      const WindowClock::Moment moment = window_clock.Read();
      const uint64_t now = MonotonicNs();
      ASSERT_GE(moment.ns, before);
      ASSERT_LE(moment.ns, now + kMs / 10);  // two clocks
      ran |= (moment.number & 1) != 0 && moment.ns > start && moment.ns < start + 10 * kMs;
      before = moment.ns;
    }
    EXPECT_EQ(window_clock.Now(), start + 10 * kMs);
  }
  EXPECT_TRUE(ran);
}

TEST_F(WindowClockTest, OneWindowAtATimeAndNoneBeforeTheLast) {
  const uint64_t start = MonotonicNs();
  window_clock.Start(start);
  window_clock.Plan(start + 10000 * kMs, kMs);
  window_clock.Plan(start + 1, 1);
  EXPECT_EQ(window_clock.Now(), start);
  window_clock.Forget();
  window_clock.Start(start);
  window_clock.Plan(start - kMs, kMs / 2);
  EXPECT_TRUE(window_clock.IsStill());
}

constexpr auto kOne = static_cast<uint64_t>(kWindowWeightOfOne);

TEST_F(WindowClockTest, RatiosAreOfManyAndWithinBounds) {
  EXPECT_EQ(RatioScale(1000, 10, 100 * kOne), 1);  // too few
  EXPECT_DOUBLE_EQ(RatioScale(1000, 100, 800 * kOne), 1.25);
  EXPECT_DOUBLE_EQ(RatioScale(1000, 100, 1 * kOne), 4);
  EXPECT_DOUBLE_EQ(RatioScale(1, 100, 1000 * kOne), 0.25);
}

// A team whose waits are estimated.
class EstimatedTeamTest : public WindowClockTest {
 protected:
  EstimatedTeamTest() : start_(MonotonicNs() - 1000 * kMs) {
    window_clock.Start(start_);
    team_.Reset(2);
    team_.clock.Reset(start_, 0);
    team_.Estimate(start_, window_clock.Now(), 0);
    team_.Begin(2);
    for (int thread : {0, 1}) {
      standing_[thread].instance = team_.instance;
      Publish(thread, Participation::kWorking);
    }
  }
  // As in a thread while the clock stands still.
  void Publish(int thread, Participation participation) {
    standing_[thread].participation = participation;
    standing_[thread].told_ns = window_clock.Now();
    team_.member(thread)->Publish(team_.instance, participation);
  }
  Team::Changed ChangeParticipation(int thread, Participation to, bool no_wait = false) {
    uint64_t now = 0;
    return team_.ChangeInWindow(&standing_[thread], team_.member(thread), to, kNothing, no_wait, &now);
  }

  const uint64_t start_;
  Team team_{};
  Team::Membership standing_[2]{};
};

TEST_F(EstimatedTeamTest, AWindowCountsThreadsByWhatTheyHavePublished) {
  Publish(1, Participation::kWaiting);
  EXPECT_TRUE(team_.IsUpToDate(window_clock.Now()));
  PassWindow(start_ + 90 * kMs, 10 * kMs);
  EXPECT_FALSE(team_.IsUpToDate(window_clock.Now()));
  // The worker owes the other thread's wait: all of the time that the window stands for.
  const Team::Changed changed = ChangeParticipation(0, Participation::kWaiting);
  EXPECT_TRUE(changed.worked);
  EXPECT_NEAR(changed.reading.of(Participation::kWorking).debt, 100.0 * kMs, 1);
  EXPECT_EQ(window_waited_ns, 100 * kMs);
  EXPECT_TRUE(team_.IsUpToDate(window_clock.Now()));
}

TEST_F(EstimatedTeamTest, ChangesPublishedBetweenWindowsCount) {
  Publish(1, Participation::kWaiting);
  PassWindow(start_ + 90 * kMs, 10 * kMs);
  ChangeParticipation(0, Participation::kWorking);
  // Quiet changes: the clock does not hear of either.
  Publish(1, Participation::kWorking);
  Publish(0, Participation::kWaiting);
  PassWindow(start_ + 190 * kMs, 10 * kMs);
  ChangeParticipation(1, Participation::kWaiting);
  EXPECT_NEAR(team_.clock.DebtNow(Participation::kWorking).debt, 200.0 * kMs, 1);
  EXPECT_EQ(team_.End(window_clock.Now(), kNothing).unblamed_ns, 0u);
}

TEST_F(EstimatedTeamTest, ASampleBringsTheClockUpToDate) {
  Publish(1, Participation::kWaitingForTask);
  Publish(0, Participation::kExecutingTask);
  PassWindow(start_ + 90 * kMs, 10 * kMs);
  const WindowClock::Moment now = window_clock.Read();
  EXPECT_TRUE(team_.TryAdvance(now.ns, now.number, kNothing));
  EXPECT_NEAR(team_.clock.DebtNow(Participation::kExecutingTask).debt, 100.0 * kMs, 1);
  team_.clock.Lock();
  EXPECT_FALSE(team_.TryAdvance(now.ns, now.number, kNothing));
  team_.clock.Unlock();
}

TEST_F(EstimatedTeamTest, AThreadThatDidNotWaitIsTakenBack) {
  Publish(1, Participation::kWaitingForTask);
  PassWindow(start_ + 90 * kMs, 10 * kMs);
  ChangeParticipation(1, Participation::kWorking, /*no_wait=*/true);
  EXPECT_EQ(window_waited_ns, 0u);
  EXPECT_NEAR(team_.clock.DebtNow(Participation::kWorking).debt, 0, 1);
}

TEST_F(EstimatedTeamTest, ThreadsThatHaveLeftAreNotCounted) {
  team_.Depart(standing_[1], team_.member(1), window_clock.Now());
  PassWindow(start_ + 90 * kMs, 10 * kMs);
  ChangeParticipation(0, Participation::kWaiting);
  PassWindow(start_ + 190 * kMs, 10 * kMs);
  EXPECT_EQ(team_.End(window_clock.Now(), kNothing).unblamed_ns, 100 * kMs);
}

}  // namespace
}  // namespace ompprof::collect
