// Numbers of region contexts: one for all instances of a path, resolved through outer regions. A record that belongs to
// a later region must not be read for an earlier one.
#include "profiler/collect/write/tables/context_table.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>

namespace ompprof::collect {
namespace {

class ContextTableTest : public testing::Test {
 protected:
  RegionRecord* Region(uint64_t codeptr, uint64_t context, RegionRef splice = 0, RegionRef parent = 0) {
    RegionRecord* record = pool_->Allocate(4);
    record->codeptr_ra = codeptr;
    record->splice = splice;
    record->parent = parent;
    record->context.store(context);
    return record;
  }
  // The definitions made so far, the last for each id.
  std::map<uint32_t, ContextDefinition>& Definitions() {
    while (table_->fresh().size() > 0) {
      // Taken from the end, as in the writer: an older definition must not replace a newer one.
      const ContextDefinition definition = table_->fresh()[table_->fresh().size() - 1];
      auto [entry, added] = definitions_.insert({definition.id, definition});
      if (!added && definition.resolved) entry->second = definition;
      table_->fresh().RemoveBySwap(table_->fresh().size() - 1);
    }
    return definitions_;
  }
  std::unique_ptr<RegionPool> pool_ = std::make_unique<RegionPool>();
  std::unique_ptr<ContextTable> table_ = std::make_unique<ContextTable>();
  std::map<uint32_t, ContextDefinition> definitions_;
};

TEST_F(ContextTableTest, InstancesOfOnePathShareANumber) {
  const uint32_t first = table_->IdOf(MakeRef(Region(0x10, 1ull << 32 | 5)));
  EXPECT_NE(first, 0u);
  EXPECT_EQ(table_->IdOf(MakeRef(Region(0x10, 1ull << 32 | 5))), first);
  EXPECT_NE(table_->IdOf(MakeRef(Region(0x10, 1ull << 32 | 6))), first) << "another node";
  EXPECT_NE(table_->IdOf(MakeRef(Region(0x10, 2ull << 32 | 5))), first) << "another tree";
  EXPECT_NE(table_->IdOf(MakeRef(Region(0x11, 1ull << 32 | 5))), first) << "another construct in the same function";
  EXPECT_EQ(Definitions()[first].node, 5u);
  EXPECT_EQ(Definitions()[first].tree, 1u);
}

TEST_F(ContextTableTest, RunsOfOnePathAddUp) {
  const auto ended = [&](uint64_t node, uint64_t begin_ns, uint64_t end_ns, uint64_t estimated = 0) {
    RegionRecord* record = Region(0x10, 1ull << 32 | node);
    record->begin_ns = begin_ns;
    MarkEnd(record, end_ns);
    record->run.estimated = estimated;
    record->live.store(false);
    return record;
  };
  RegionRecord* first = ended(5, 1000, 1500, 1);
  table_->AddRun(first);
  table_->AddRun(ended(6, 2000, 2001));
  table_->AddRun(ended(5, 3000, 3250));
  ASSERT_EQ(table_->runs().size(), 2u);
  const uint32_t id = table_->IdOf(MakeRef(first));
  const ContextRuns runs = table_->runs()[0].id == id ? table_->runs()[0] : table_->runs()[1];
  EXPECT_EQ(runs.ended, 2u);
  EXPECT_EQ(runs.elapsed_ns, 750u);
  EXPECT_EQ(runs.sums.estimated, 1u);
  table_->ClearRuns();
  EXPECT_EQ(table_->runs().size(), 0u);
  table_->AddRun(ended(5, 4000, 4010));
  ASSERT_EQ(table_->runs().size(), 1u);
  EXPECT_EQ(table_->runs()[0].id, id);
  EXPECT_EQ(table_->runs()[0].elapsed_ns, 10u) << "since the last";
}

TEST_F(ContextTableTest, NestedRegionsResolveOneThroughTheOther) {
  const RegionRef outer = MakeRef(Region(0x10, 1ull << 32 | 5));
  const uint32_t inner = table_->IdOf(MakeRef(Region(0x20, 2ull << 32 | 9, outer, outer)));
  EXPECT_EQ(Definitions()[inner].splice, table_->IdOf(outer));
  EXPECT_EQ(Definitions()[inner].parent, table_->IdOf(outer));
}

// A thread may learn of its region's end long after it. The number is given only while it is that region's.
TEST_F(ContextTableTest, OfARegionThatHasEnded) {
  RegionRecord* sampled = Region(0x10, 1ull << 32 | 5);
  sampled->sampled.store(true);
  sampled->live.store(false);
  const RegionRef ref = MakeRef(sampled);
  const uint32_t id = table_->IdOfEnded(ref);
  EXPECT_NE(id, 0u);
  EXPECT_EQ(table_->IdOf(ref), id);

  // No sample refers to the region: its record may belong to another at any moment.
  RegionRecord* unsampled = Region(0x20, 1ull << 32 | 6);
  unsampled->live.store(false);
  EXPECT_EQ(table_->IdOfEnded(MakeRef(unsampled)), 0u);
  EXPECT_EQ(unsampled->context_id, 0u);

  pool_->FreeOwn(sampled);
  RegionRecord* next = Region(0x30, 1ull << 32 | 7);
  ASSERT_EQ(next, sampled);
  EXPECT_EQ(table_->IdOfEnded(ref), 0u);
  EXPECT_EQ(next->context_id, 0u);
}

TEST_F(ContextTableTest, APathMayBecomeKnownLater) {
  RegionRecord* record = Region(0x30, 0);
  const uint32_t id = table_->IdOf(MakeRef(record));
  EXPECT_FALSE(Definitions()[id].resolved);
  EXPECT_EQ(Definitions()[id].codeptr_ra, 0x30u);
  record->context.store(3ull << 32 | 4);
  table_->ResolvePending();
  EXPECT_TRUE(Definitions()[id].resolved);
  EXPECT_EQ(Definitions()[id].node, 4u);
}

TEST_F(ContextTableTest, AVoidReferenceHasNoNumber) {
  RegionRecord* record = Region(0x40, 1);
  const RegionRef ref = MakeRef(record);
  pool_->FreeOwn(record);
  pool_->Allocate(4);
  EXPECT_EQ(table_->IdOf(ref), 0u);
  EXPECT_EQ(table_->IdOf(0), 0u);
}

TEST_F(ContextTableTest, ARecordThatGoesUnresolvedIsNotLookedAtAgain) {
  RegionRecord* record = Region(0x50, 0);
  const uint32_t id = table_->IdOf(MakeRef(record));
  Definitions();
  table_->Forget(record);
  record->context.store(1ull << 32 | 1);  // it belongs to another region by now
  table_->ResolvePending();
  EXPECT_FALSE(Definitions()[id].resolved);
}

TEST_F(ContextTableTest, ManyPathsManyNumbers) {
  std::map<uint32_t, uint32_t> seen;
  for (uint32_t node = 1; node <= 5000; ++node) ++seen[table_->IdOf(MakeRef(Region(0x60, 1ull << 32 | node)))];
  EXPECT_EQ(seen.size(), 5000u);
  EXPECT_EQ(Definitions().size(), 5000u);
}

}  // namespace
}  // namespace ompprof::collect
