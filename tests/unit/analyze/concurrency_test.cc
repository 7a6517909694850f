// How many threads exist at a time: the union of made-up spans. Spans that overlap, follow each other or belong to
// ranks have known answers.
#include "profiler/analyze/view/concurrency.h"

#include <gtest/gtest.h>

namespace ompprof::analyze {
namespace {

using Slots = std::vector<uint32_t>;

TEST(Concurrency, UnionCountsSharedTimeOnce) {
  EXPECT_EQ(UnionNs({}), 0u);
  EXPECT_EQ(UnionNs({{5, 9}, {0, 3}}), 7u);
  EXPECT_EQ(UnionNs({{0, 10}, {2, 5}, {8, 12}, {12, 13}, {20, 20}}), 13u);
}

TEST(Concurrency, SpansThatFollowEachOtherShareASlot) {
  EXPECT_EQ(SlotsOf({}), Slots{});
  EXPECT_EQ(SlotsOf({{0, 10}, {10, 20}, {20, 30}}), (Slots{0, 0, 0}));
  EXPECT_EQ(SlotsOf({{0, 10}, {0, 10}, {5, 6}}), (Slots{0, 1, 2}));
  // The main thread, and two nested teams of new threads, one after the other.
  EXPECT_EQ(SlotsOf({{0, 100}, {10, 20}, {10, 21}, {30, 40}, {30, 41}}), (Slots{0, 1, 2, 2, 1}));
  EXPECT_EQ(SlotsOf({{50, 60}, {0, 10}, {20, 30}}), (Slots{0, 0, 0})) << "whatever their order";
}

ProcessFacts Process(int64_t start, uint64_t duration, bool openmp = true) {
  ProcessFacts process;
  process.start_unix_ns = start;
  process.start_mono_ns = 1000;
  process.duration_ns = duration;
  if (openmp) process.runtimes.emplace_back();
  return process;
}

TEST(Concurrency, RanksRunSideBySideAndAScriptsProgramsInTurn) {
  RunFacts run;
  EXPECT_DOUBLE_EQ(OpenmpProcessesAtATime(run), 1);
  run.processes = {Process(100, 50), Process(100, 50), Process(100, 50)};
  EXPECT_DOUBLE_EQ(OpenmpProcessesAtATime(run), 3);
  run.processes = {Process(0, 1000, false), Process(100, 50), Process(150, 50), Process(300, 50)};
  EXPECT_DOUBLE_EQ(OpenmpProcessesAtATime(run), 1);
}

TEST(Concurrency, AThreadsSpanIsOnTheWallClock) {
  ThreadFacts thread;
  thread.start_mono_ns = 1200;
  thread.lifetime_ns = 30;
  const Span span = SpanOf(Process(5000, 400), thread);
  EXPECT_EQ(span.begin_ns, 5200u);
  EXPECT_EQ(span.end_ns, 5230u);
}

}  // namespace
}  // namespace ompprof::analyze
