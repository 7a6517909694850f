// The clock from the processor's counter follows the kernel's clock. The counter and the kernel's clock are made up, so
// that errors are known to the nanosecond; one test uses this machine's.
#include "profiler/collect/base/tick_clock.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <thread>
#include <vector>

namespace ompprof::collect {
namespace {

constexpr uint64_t kSecond = 1000000000;

// A counter of 2.5 ticks a nanosecond, beside a kernel clock whose speed can be changed.
class TickClockTest : public ::testing::Test {
 protected:
  // Both clocks go on for that long.
  void Pass(uint64_t ns) {
    pair_.ns += ns;
    pair_.ticks += static_cast<uint64_t>(static_cast<double>(ns) * 2.5 / speed_);
  }
  // Fits as the writer does. Returns the line's error in nanoseconds.
  double PassAndFit(uint64_t ns) {
    Pass(ns);
    const uint64_t said = clock_->At(pair_.ticks);
    next_ = clock_->Fit(pair_);
    return said == 0 ? 0 : static_cast<double>(said) - static_cast<double>(pair_.ns);
  }
  void Settle() {
    next_ = clock_->Fit(pair_);
    while (next_ < TickClock::kLongestIntervalNs) PassAndFit(next_);
  }

  std::unique_ptr<TickClock> clock_ = std::make_unique<TickClock>();
  TickClock::Pair pair_{987654321000, 5000 * kSecond};
  uint64_t next_ = 0;
  double speed_ = 1;
};

TEST_F(TickClockTest, NothingBeforeTheRateIsKnown) {
  EXPECT_EQ(clock_->At(pair_.ticks), 0u);
  EXPECT_EQ(clock_->Fit(pair_), TickClock::kFirstIntervalNs);
  EXPECT_EQ(clock_->At(pair_.ticks + 10), 0u);
  Pass(TickClock::kFirstIntervalNs / 4);
  EXPECT_EQ(clock_->Fit(pair_), TickClock::kFirstIntervalNs * 3 / 4) << "too soon";
  EXPECT_EQ(clock_->At(pair_.ticks), 0u);
  Pass(TickClock::kFirstIntervalNs * 3 / 4);
  EXPECT_GT(clock_->Fit(pair_), TickClock::kFirstIntervalNs);
  EXPECT_EQ(clock_->At(pair_.ticks), pair_.ns);
}

TEST_F(TickClockTest, ASteadyClockIsFollowedToTheNanosecond) {
  Settle();
  for (int i = 0; i < 100; ++i) EXPECT_NEAR(PassAndFit(kSecond + static_cast<uint64_t>(i) * 1000), 0, 2);
}

// The daemon makes the clock run faster. The line's error is that change over a second, and then goes away.
TEST_F(TickClockTest, AChangeOfSpeedIsCaughtUpWith) {
  Settle();
  PassAndFit(kSecond);
  speed_ = 1.0005;
  EXPECT_NEAR(PassAndFit(kSecond), -500000, 1000);
  EXPECT_NEAR(PassAndFit(kSecond), 0, 1000);
  EXPECT_NEAR(PassAndFit(kSecond), 0, 10);
  EXPECT_EQ(next_, TickClock::kLongestIntervalNs);
}

TEST_F(TickClockTest, ItDoesNotJump) {
  Settle();
  for (int i = 0; i < 50; ++i) {
    speed_ = i % 3 == 0 ? 1.0004 : 0.9996;
    Pass(kSecond);
    const uint64_t before = clock_->At(pair_.ticks);
    clock_->Fit(pair_);
    ASSERT_NEAR(static_cast<double>(clock_->At(pair_.ticks)), static_cast<double>(before), 1);
  }
}

TEST_F(TickClockTest, ACounterThatGoesItsOwnWayIsGivenUp) {
  Settle();
  pair_.ticks += static_cast<uint64_t>(2.5 * 5000000);  // 5 ms
  PassAndFit(kSecond);
  EXPECT_EQ(next_, 0u);
  EXPECT_EQ(clock_->At(pair_.ticks), 0u);
  PassAndFit(kSecond);
  EXPECT_EQ(next_, 0u) << "for good";
  EXPECT_EQ(clock_->At(pair_.ticks), 0u);
}

TEST_F(TickClockTest, ACounterThatGoesBackIsGivenUp) {
  Settle();
  Pass(kSecond);
  EXPECT_EQ(clock_->At(pair_.ticks - 10 * 2500000000), 0u) << "before the line begins";
  pair_.ticks -= 3 * 2500000000;
  EXPECT_EQ(clock_->Fit(pair_), 0u);
}

TEST_F(TickClockTest, ALineThatNobodyFitsEnds) {
  Settle();
  Pass(7 * kSecond);
  EXPECT_NEAR(static_cast<double>(clock_->At(pair_.ticks)), static_cast<double>(pair_.ns), 10);
  Pass(30 * kSecond);
  EXPECT_EQ(clock_->At(pair_.ticks), 0u);
  EXPECT_NE(clock_->Fit(pair_), 0u);
  EXPECT_EQ(clock_->At(pair_.ticks), pair_.ns) << "and begins again";
}

// On this machine: beside clock_gettime, during the fits.
TEST(QuickNsTest, IsTheKernelsClock) {
  if (FitTickClock() == 0) GTEST_SKIP() << "the kernel does not keep time by a counter that programs can read here.";
  std::atomic<bool> over{false};
  std::vector<std::thread> threads;
  std::atomic<uint64_t> compared{0}, furthest{0}, backwards{0};
  for (int i = 0; i < 2; ++i) {
    threads.emplace_back([&] {
      uint64_t last = 0, before = 0, off = 0, count = 0, back = 0;
      while (!over) {
        const uint64_t begin = MonotonicNs();
        const uint64_t quick = QuickNs();
        const uint64_t end = MonotonicNs();
        if (quick < begin) off = std::max(off, begin - quick);
        if (quick > end) off = std::max(off, quick - end);
        const uint64_t own = QuickNs(&last);
        if (own < before) ++back;
        before = own;
        ++count;
      }
      compared += count;
      backwards += back;
      uint64_t seen = furthest;
      while (off > seen && !furthest.compare_exchange_weak(seen, off)) {
      }
    });
  }
  for (int i = 0; i < 8; ++i) {
    std::this_thread::sleep_for(std::chrono::nanoseconds(FitTickClock()));
  }
  over = true;
  for (std::thread& thread : threads) thread.join();
  printf("%lu comparisons, at most %lu ns off\n", compared.load(), furthest.load());
  EXPECT_NE(tick_clock.At(ReadTicks()), 0u) << "it was in use";
  EXPECT_GT(compared, 1000u);
  EXPECT_EQ(backwards, 0u);
  // The change that an NTP daemon may make in a second.
  EXPECT_LE(furthest, 500000u);
}

}  // namespace
}  // namespace ompprof::collect
