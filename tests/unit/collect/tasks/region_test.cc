// Records of regions: references to ended regions are harmless, and few records serve teams of all sizes. Whatever the
// order of ends and new teams, no record is used for two regions.
#include "profiler/collect/tasks/region.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>

#include "profiler/collect/base/os.h"
#include "profiler/collect/tasks/region_stats.h"

namespace ompprof::collect {
namespace {

TEST(Region, AReferenceOutlivesItsRegionHarmlessly) {
  auto pool = std::make_unique<RegionPool>();
  RegionRecord* first = pool->Allocate(4);
  const RegionRef ref = MakeRef(first);
  EXPECT_EQ(RegionOf(ref), first);
  EXPECT_TRUE(IsCurrent(ref));
  first->live.store(false);
  EXPECT_TRUE(IsCurrent(ref)) << "ended, not reused";
  EXPECT_FALSE(MarkSampled(ref));
  pool->FreeOwn(first);
  RegionRecord* second = pool->Allocate(4);
  ASSERT_EQ(second, first) << "the record is reused at once";
  EXPECT_FALSE(IsCurrent(ref)) << "and the old reference is void";
  EXPECT_TRUE(IsCurrent(MakeRef(second)));
  EXPECT_FALSE(IsCurrent(0));
}

TEST(Region, SampledRegionsGoThroughTheWriter) {
  auto pool = std::make_unique<RegionPool>();
  RegionRecord* record = pool->Allocate(4);
  EXPECT_TRUE(MarkSampled(MakeRef(record)));
  EXPECT_TRUE(record->sampled.load());
  record->live.store(false);
  pool->Retire(record);
  EXPECT_EQ(pool->TakeRetired(), record);
  EXPECT_EQ(pool->TakeRetired(), nullptr);
  pool->GiveBack(record);
  // The record comes back once the owner's own records are used up.
  std::set<RegionRecord*> seen;
  for (int i = 0; i < 200; ++i) seen.insert(pool->Allocate(4));
  EXPECT_EQ(seen.size(), 200u);
  EXPECT_EQ(seen.count(record), 1u);
}

// Lives through a region of a team of that size. Returns when it ended.
RegionRef Region(RegionPool* pool, uint32_t team_size, uint64_t end_ns, bool sampled = false) {
  RegionRecord* record = pool->Allocate(team_size);
  record->actual_team_size.store(team_size);
  record->live.store(false);
  MarkEnd(record, end_ns);
  if (sampled)
    pool->Retire(record);
  else
    pool->FreeOwn(record);
  return MakeRef(record);
}

// Workers that a smaller team does not need hear of their region's end when they are next needed.
TEST(Region, TheEndOfALargerTeamIsRemembered) {
  auto pool = std::make_unique<RegionPool>();
  const RegionRef largest = Region(pool.get(), 8, 100);
  const RegionRef middle = Region(pool.get(), 4, 200);
  RegionRef smaller = 0;
  for (uint64_t i = 0; i < 1000; ++i) smaller = Region(pool.get(), 2, 300 + i);
  EXPECT_EQ(EndOf(largest), 100u);
  EXPECT_EQ(EndOf(middle), 200u);
  EXPECT_EQ(EndOf(smaller), 1299u);
  // All but the workers of the largest team have heard of their region's end then.
  Region(pool.get(), 4, 3000, /*sampled=*/true);
  EXPECT_EQ(RegionOf(Region(pool.get(), 3, 3100)), RegionOf(middle));
  EXPECT_EQ(EndOf(largest), 100u);
}

// Few records are in use, in whatever order the sizes come.
TEST(Region, TeamsOfAllSizesNeedFewRecords) {
  auto pool = std::make_unique<RegionPool>();
  std::set<RegionRecord*> seen;
  for (uint64_t i = 0; i < 10000; ++i) seen.insert(RegionOf(Region(pool.get(), i * 7919 % 16 + 1, i)));
  EXPECT_LE(seen.size(), 17u);
}

TEST(Region, AForkedChildsOldRegionsAreVoid) {
  auto pool = std::make_unique<RegionPool>();
  const RegionRef ref = MakeRef(pool->Allocate(4));
  region_session.fetch_add(1);
  EXPECT_FALSE(IsCurrent(ref));
}

TEST(RegionStats, OneEntryPerConstructLevelAndEpoch) {
  auto stats = std::make_unique<RegionStats>();
  RegionCounts* a = stats->Find({0x1000, 0, 0, false});
  ASSERT_NE(a, nullptr);
  EXPECT_EQ(stats->Find({0x1000, 0, 0, false}), a);
  EXPECT_NE(stats->Find({0x1000, 1, 0, false}), a);
  EXPECT_NE(stats->Find({0x1000, 0, 1, false}), a);
  EXPECT_NE(stats->Find({0x1000, 0, 0, true}), a);
  EXPECT_EQ(stats->size(), 4u);
  for (uint64_t i = 0; i < 8188; ++i) ASSERT_NE(stats->Find({0x2000 + i * 16, 0, 0, false}), nullptr);
  EXPECT_EQ(stats->Find({0x1, 0, 0, false}), nullptr) << "full: counted nowhere, nothing breaks";
  EXPECT_EQ(stats->Find({0x1000, 0, 0, false}), a);
}

// A thread's state goes on to another thread with its memory, and with none of its counts.
TEST(RegionStats, ClearedForAnotherThread) {
  auto stats = std::make_unique<RegionStats>();
  for (uint64_t i = 0; i < 100; ++i) stats->Find({0x1000 + i * 16, 0, 0, false})->AddBegin(4);
  const uint64_t mapped = MappedMemory();
  stats->Clear();
  EXPECT_EQ(stats->size(), 0u);
  for (uint64_t i = 0; i < 100; ++i) {
    const RegionCounts* counts = stats->Find({0x1000 + i * 16, 1, 0, false});
    ASSERT_NE(counts, nullptr);
    EXPECT_EQ(counts->invocations.load(), 0u);
    EXPECT_EQ(counts->requested_max.load(), 0u);
  }
  EXPECT_EQ(stats->size(), 100u);
  EXPECT_EQ(MappedMemory(), mapped);
}

}  // namespace
}  // namespace ompprof::collect
