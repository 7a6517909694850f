// When a thread's samples come later, because its handler takes too long.
#include "profiler/collect/sampling/pace.h"

#include <gtest/gtest.h>

namespace ompprof::collect {
namespace {

constexpr uint64_t kPeriod = 100000;  // 10 kHz

// Handlers of `cost` nanoseconds, `gap` after each other, until the pace changes. The number of handlers; 0: the pace
// has not changed after a thousand.
int HandlersUntilChange(Pace* pace, uint64_t cost, uint64_t gap) {
  uint64_t now = 1;
  for (int i = 1; i <= 1000; ++i) {
    if (pace->Took(now, now + cost, kPeriod)) return i;
    now += cost + gap;
  }
  return 0;
}

TEST(Pace, KeepsTheRateOfAQuickHandler) {
  Pace pace;
  EXPECT_EQ(HandlersUntilChange(&pace, 5000, kPeriod), 0);
  EXPECT_EQ(pace.shift(), 0u);
}

// The first handler has no gap before it.
TEST(Pace, SlowsDownAfterSixteenSlowHandlers) {
  Pace pace;
  EXPECT_EQ(HandlersUntilChange(&pace, 50000, 1000), 17);
  EXPECT_GT(kPeriod << pace.shift(), 3 * 50000u);
}

// A handler under a debugger that executes single steps: a tenth of a second.
TEST(Pace, SlowsDownAfterFourGrosslySlowHandlers) {
  Pace pace;
  EXPECT_EQ(HandlersUntilChange(&pace, 100000000, 1000), 5);
  EXPECT_GT(kPeriod << pace.shift(), 3 * 100000000u);
}

// The thread lost the processor within a handler, now and then.
TEST(Pace, SingleSlowHandlersProveNothing) {
  Pace pace;
  uint64_t now = 1;
  for (int i = 0; i < 10000; ++i) {
    const uint64_t cost = i % 10 == 0 ? 20000000 : 5000;
    EXPECT_FALSE(pace.Took(now, now + cost, kPeriod)) << i;
    now += cost + kPeriod;
  }
}

TEST(Pace, ComesBackWhenTheHandlerIsQuickAgain) {
  Pace pace;
  HandlersUntilChange(&pace, 50000, 1000);
  const uint32_t slow = pace.shift();
  EXPECT_NE(HandlersUntilChange(&pace, 1000, kPeriod << slow), 0);
  EXPECT_EQ(pace.shift(), slow - 1);
}

}  // namespace
}  // namespace ompprof::collect
