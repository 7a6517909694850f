#include "profiler/collect/blame/processor_time.h"

#include <gtest/gtest.h>

namespace ompprof::collect {
namespace {

constexpr ProcessorClocks kBefore{1000, 500, 7};

// After `wall_ns`, `cpu_ns` of it on a processor.
ProcessorClocks After(uint64_t wall_ns, uint64_t cpu_ns, uint64_t slept = 0) {
  return {kBefore.wall_ns + wall_ns, kBefore.cpu_ns + cpu_ns, kBefore.left + slept};
}

TEST(PartOffProcessor, OfAThreadThatOnlyWorked) {
  EXPECT_EQ(PartOffProcessor(kBefore, After(100, 100), 100), 0);
  EXPECT_EQ(PartOffProcessor(kBefore, After(100, 25), 100), 191);
}

TEST(PartOffProcessor, OfAThreadThatSpunIsThatOfAllItsTime) {
  EXPECT_EQ(PartOffProcessor(kBefore, After(100, 50), 40), 128);
}

TEST(PartOffProcessor, OfAThreadThatSleptComesFromItsCpuTimeAlone) {
  EXPECT_EQ(PartOffProcessor(kBefore, After(100, 40, 1), 40), 0) << "it slept at a barrier, and worked else";
  EXPECT_EQ(PartOffProcessor(kBefore, After(100, 10, 1), 40), 191);
  EXPECT_EQ(PartOffProcessor(kBefore, After(100, 60, 1), 40), 0) << "it spun as well";
}

TEST(PartOffProcessor, IsNoneWhereClocksAreNotKnown) {
  EXPECT_EQ(PartOffProcessor({}, After(100, 10), 100), 0) << "the first sample";
  EXPECT_EQ(PartOffProcessor(kBefore, {2000, 0, 7}, 100), 0) << "samples by events";
  EXPECT_EQ(PartOffProcessor(kBefore, After(100, 10), 0), 0);
  EXPECT_EQ(PartOffProcessor(kBefore, kBefore, 100), 0);
  EXPECT_EQ(PartOffProcessor(kBefore, {2000, 400, 7}, 100), 255) << "a clock that goes back has not gone on";
}

}  // namespace
}  // namespace ompprof::collect
