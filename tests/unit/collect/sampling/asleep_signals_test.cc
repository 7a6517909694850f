#include "profiler/collect/sampling/asleep_signals.h"

#include <gtest/gtest.h>

namespace ompprof::collect {
namespace {

constexpr uint64_t kPeriod = 5000000;

// Signals that find one of `threads` threads asleep, for `periods` of a working thread. Returns how many there were.
uint64_t Sleep(AsleepSignals* signals, uint64_t threads, uint64_t periods, uint64_t* now) {
  uint64_t count = 0;
  for (const uint64_t end = *now + periods * kPeriod; *now < end; ++count) {
    *now += (kPeriod << signals->level()) / threads;
    signals->Count(*now, kPeriod);
  }
  return count;
}

TEST(AsleepSignals, FewThreadsAreAskedAsOftenAsWorkingOnes) {
  AsleepSignals signals;
  signals.SetProcessors(8);
  uint64_t now = 1;
  Sleep(&signals, 8, 1000, &now);
  EXPECT_EQ(signals.level(), 0u);
}

// 2,000 periods are 10 s, and a hundredth of that is 100 ms for each processor.
TEST(AsleepSignals, TheSignalsOfManyThreadsTakeAHundredthOfTheProcessors) {
  for (const uint32_t processors : {1, 4}) {
    for (const uint64_t cost_ns : {10000, 25000, 120000}) {
      for (const uint64_t threads : {200, 1500, 10000}) {
        AsleepSignals signals;
        signals.SetProcessors(processors);
        for (int i = 0; i < 200; ++i) signals.Cost(cost_ns);
        uint64_t now = 1;
        Sleep(&signals, threads, 20000, &now);
        const uint64_t took_ns = Sleep(&signals, threads, 2000, &now) * cost_ns;
        EXPECT_LE(took_ns, processors * 105000000u) << threads << " " << cost_ns;
        EXPECT_GE(took_ns, processors * 20000000u) << threads << " " << cost_ns;
      }
    }
  }
}

TEST(AsleepSignals, TheyBecomeMoreAgain) {
  AsleepSignals signals;
  uint64_t now = 1;
  Sleep(&signals, 500, 100, &now);
  EXPECT_GE(signals.level(), 5u);
  Sleep(&signals, 2, 100000, &now);
  EXPECT_LE(signals.level(), 1u);
}

TEST(AsleepSignals, ManyAtOnceAreNoRate) {
  AsleepSignals signals;
  for (int i = 0; i < 1000; ++i) signals.Count(kPeriod / 2, kPeriod);
  EXPECT_EQ(signals.level(), 0u);
}

}  // namespace
}  // namespace ompprof::collect
