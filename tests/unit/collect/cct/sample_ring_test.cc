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
