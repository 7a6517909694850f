// The ring between a thread's handler and the writer: refuses records without room, and neither loses nor tears one
// between two threads.
#include "profiler/collect/cct/sample_ring.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace ompprof::collect {
namespace {

Sample WithWeight(uint64_t weight) {
  Sample sample{};
  sample.weight = weight;
  return sample;
}

TEST(SampleRing, RefusesWhatDoesNotFit) {
  std::vector<Sample> slots(4);
  SampleRing ring;
  ring.Init(slots.data(), 4);
  for (uint64_t i = 0; i < 4; ++i) EXPECT_TRUE(ring.Push(WithWeight(i)));
  EXPECT_FALSE(ring.Push(WithWeight(4)));
  EXPECT_EQ(ring.head() - ring.tail(), 4u);
  EXPECT_EQ(ring.at(ring.tail()).weight, 0u);
  ring.Release(ring.tail() + 1);
  EXPECT_TRUE(ring.Push(WithWeight(4)));
  EXPECT_EQ(ring.at(ring.head() - 1).weight, 4u);
}

// The counts of an entry go round with it. An entry without counts does not show those of an earlier entry in its slot.
TEST(SampleRing, CarriesCounts) {
  std::vector<Sample> slots(2);
  std::vector<SampleCounts> counts(2);
  SampleRing ring;
  ring.Init(slots.data(), 2, counts.data());
  for (uint64_t i = 1; i <= 3; ++i) {
    const SampleCounts counted{{i, 10 * i, 0, 7}};
    EXPECT_TRUE(ring.Push(WithWeight(i), &counted));
    EXPECT_EQ(ring.counts_at(ring.tail()).of[1], 10 * i);
    EXPECT_EQ(ring.counts_at(ring.tail()).of[3], 7u);
    ring.Release(ring.head());
  }
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(ring.Push(WithWeight(4)));
    EXPECT_FALSE(ring.counts_at(ring.tail()).any());
    ring.Release(ring.head());
  }
}

TEST(SampleRing, CountsNeedMemory) {
  std::vector<Sample> slots(2);
  SampleRing ring;
  ring.Init(slots.data(), 2);
  const SampleCounts counted{{1, 2, 3, 4}};
  EXPECT_TRUE(ring.Push(WithWeight(1), &counted));
  EXPECT_EQ(ring.at(ring.tail()).weight, 1u);
}

TEST(SampleRing, NothingIsLostOrTornBetweenTwoThreads) {
  constexpr uint64_t kSamples = 200000;
  std::vector<Sample> slots(64);
  SampleRing ring;
  ring.Init(slots.data(), 64);
  std::thread consumer([&ring] {
    uint64_t next = 0;
    while (next < kSamples) {
      const uint64_t head = ring.head();
      for (uint64_t at = ring.tail(); at != head; ++at, ++next) {
        ASSERT_EQ(ring.at(at).weight, next);
        ASSERT_EQ(ring.at(at).region, next * 7);
      }
      ring.Release(head);
    }
  });
  for (uint64_t i = 0; i < kSamples; ++i) {
    Sample sample = WithWeight(i);
    sample.region = i * 7;
    while (!ring.Push(sample)) std::this_thread::yield();
  }
  consumer.join();
}

}  // namespace
}  // namespace ompprof::collect
