#include "profiler/collect/devices/device_table.h"

#include <gtest/gtest.h>

#include <memory>
#include <thread>
#include <vector>

#include "profiler/collect/devices/device_timeline.h"

namespace ompprof::collect {
namespace {

DeviceKey Key(uint64_t codeptr_ra, uint32_t node) {
  DeviceKey key{};
  key.codeptr_ra = codeptr_ra;
  if (node != 0) key.path = {1, node, 0, 0};
  return key;
}

TEST(DeviceTable, KeepsPathsApart) {
  const auto table = std::make_unique<DeviceTable>();
  DeviceCounts* first = table->Find(Key(100, 1));
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(table->Find(Key(100, 1)), first);
  EXPECT_NE(table->Find(Key(100, 2)), first);
  EXPECT_NE(table->Find(Key(101, 1)), first);
  DeviceKey in_region = Key(100, 1);
  in_region.path.splice_key = 7;
  EXPECT_NE(table->Find(in_region), first);
  // The reference itself is not part of the key.
  DeviceKey other_instance = Key(100, 1);
  other_instance.path.splice = 99;
  EXPECT_EQ(table->Find(other_instance), first);
  EXPECT_EQ(table->entry(table->IndexOf(first)), first);
}

TEST(DeviceTable, KeepsRoomForConstructs) {
  const auto table = std::make_unique<DeviceTable>();
  constexpr uint32_t kPaths = 3 * DeviceTable::kMostPaths;
  uint32_t with_path = 0;
  for (uint32_t node = 1; node <= kPaths; ++node) {
    DeviceCounts* counts = table->Find(Key(100, node));
    ASSERT_NE(counts, nullptr);
    counts->Add(0, 1, 0);
    with_path += counts->key.path.node != 0;
  }
  EXPECT_EQ(with_path, DeviceTable::kMostPaths);
  EXPECT_EQ(table->Find(Key(100, 0))->count, kPaths - DeviceTable::kMostPaths);
  for (uint64_t construct = 0; construct < 500; ++construct) EXPECT_NE(table->Find(Key(construct << 4, 0)), nullptr);
}

TEST(DeviceTable, CountsForAllThreads) {
  const auto table = std::make_unique<DeviceTable>();
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread)
    threads.emplace_back([&] {
      for (uint32_t i = 0; i < 20000; ++i) table->Find(Key(100 + i % 50, 1 + i % 50))->Add(2, 3, 1);
    });
  for (std::thread& thread : threads) thread.join();
  uint64_t count = 0, taken = 0;
  for (uint32_t i = 0; i < DeviceTable::size(); ++i) {
    if (!table->IsTaken(i)) continue;
    ++taken;
    count += table->entry(i)->count;
  }
  EXPECT_EQ(taken, 50u);
  EXPECT_EQ(count, 80000u);
}

TEST(DeviceTable, ForgetsAll) {
  const auto table = std::make_unique<DeviceTable>();
  table->Find(Key(100, 1))->Add(1, 1, 1);
  table->Forget();
  for (uint32_t i = 0; i < DeviceTable::size(); ++i) EXPECT_FALSE(table->IsTaken(i));
  EXPECT_EQ(table->Find(Key(100, 1))->count, 0u);
}

TEST(DeviceTimeline, HandsOverInOrder) {
  const auto timeline = std::make_unique<DeviceTimeline>();
  TimedOperation operation;
  EXPECT_FALSE(timeline->Take(&operation));
  for (int round = 0; round < 3; ++round) {
    for (uint64_t i = 0; i < 20000; ++i) timeline->Add({1, 2, i, i + 1, 3});
    for (uint64_t i = 0; i < 20000; ++i) {
      ASSERT_TRUE(timeline->Take(&operation));
      EXPECT_EQ(operation.begin_ns, i);
    }
    EXPECT_FALSE(timeline->Take(&operation));
  }
  EXPECT_EQ(timeline->lost(), 0u);
}

TEST(DeviceTimeline, CountsWhatHasNoRoom) {
  const auto timeline = std::make_unique<DeviceTimeline>();
  constexpr uint64_t kMore = 100000;
  for (uint64_t i = 0; i < kMore; ++i) timeline->Add({1, 2, i, 1, 0});
  uint64_t taken = 0;
  for (TimedOperation operation; timeline->Take(&operation); ++taken) EXPECT_EQ(operation.begin_ns, taken);
  EXPECT_GT(taken, 1000u);
  EXPECT_EQ(taken + timeline->lost(), kMore);
  timeline->Add({1, 2, 5, 1, 0});
  TimedOperation operation;
  ASSERT_TRUE(timeline->Take(&operation));
  EXPECT_EQ(operation.begin_ns, 5u);
}

// Nothing is lost or torn between several threads and the writer.
TEST(DeviceTimeline, TakesFromAllThreads) {
  const auto timeline = std::make_unique<DeviceTimeline>();
  constexpr uint64_t kEach = 50000;
  std::vector<std::thread> threads;
  std::atomic<int> running{3};
  for (uint32_t thread = 1; thread <= 3; ++thread)
    threads.emplace_back([&, thread] {
      for (uint64_t i = 0; i < kEach; ++i) timeline->Add({thread, thread, i, i * thread, i});
      --running;
    });
  uint64_t taken = 0;
  uint64_t last[4] = {};
  for (;;) {
    const bool done = running == 0;
    TimedOperation operation;
    bool any = false;
    while (timeline->Take(&operation)) {
      any = true;
      ++taken;
      EXPECT_EQ(operation.duration_ns, operation.begin_ns * operation.thread);
      EXPECT_TRUE(operation.begin_ns == 0 || operation.begin_ns > last[operation.thread]);
      last[operation.thread] = operation.begin_ns;
    }
    if (done && !any) break;
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(taken + timeline->lost(), 3 * kEach);
}

}  // namespace
}  // namespace ompprof::collect
