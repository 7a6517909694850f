// The records of what the host asked of its devices: which of them replace each other, and which add up.
#include <gtest/gtest.h>

#include <vector>

#include "tests/unit/model/profile_builder.h"

namespace ompprof {
namespace {

DeviceStats Stats(uint64_t count, uint32_t node = 0, uint32_t splice = 0, uint32_t id = 0) {
  DeviceStats stats;
  stats.set_device(1);
  stats.set_work(DEVICE_LAUNCH);
  stats.set_codeptr_ra(0x1000);
  stats.set_count(count);
  stats.set_tree(node != 0 ? 1 : 0);
  stats.set_node(node);
  stats.set_splice(splice);
  stats.set_id(id);
  return stats;
}

std::vector<uint64_t> CountsOf(const std::vector<DeviceStats>& records) {
  test::ProfileBuilder builder;
  for (const DeviceStats& stats : records) {
    Record record;
    *record.mutable_device_stats() = stats;
    builder.Append(record);
  }
  std::vector<uint64_t> counts;
  const model::ReadResult read = test::Read(builder);
  for (const DeviceStats& stats : read.profile.device_stats) counts.push_back(stats.count());
  return counts;
}

// A file of an older version has neither paths nor ids.
TEST(DeviceStats, TheLastRecordOfAConstructCounts) {
  EXPECT_EQ(CountsOf({Stats(1), Stats(5)}), std::vector<uint64_t>({5}));
}

TEST(DeviceStats, TheLastRecordOfAPathCounts) {
  EXPECT_EQ(CountsOf({Stats(1, 7, 2, 1), Stats(2, 8, 2, 2), Stats(5, 7, 2, 1)}), std::vector<uint64_t>({5, 2}));
  EXPECT_EQ(CountsOf({Stats(1, 7, 2, 1), Stats(2, 7, 3, 2)}), std::vector<uint64_t>({1, 2}));
}

// The first instance of a region has records of its own, at a path that turns out to be the others'.
TEST(DeviceStats, RecordsWithDifferentIdsAddUp) {
  EXPECT_EQ(CountsOf({Stats(1, 7, 2, 1), Stats(2, 7, 2, 2), Stats(3, 7, 2, 1)}), std::vector<uint64_t>({3, 2}));
}

}  // namespace
}  // namespace ompprof
