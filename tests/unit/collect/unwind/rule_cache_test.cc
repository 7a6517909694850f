// The cache gives a rule back for its own key and generation only, and the two newest rules of a set stay.
#include "profiler/collect/unwind/rule_cache.h"

#include <gtest/gtest.h>

#include <memory>

namespace ompprof::collect {
namespace {

UnwindRule Rule(int32_t n) { return {UnwindRuleKind::kFromSp, -16, n}; }

class RuleCacheTest : public testing::Test {
 protected:
  std::unique_ptr<RuleCache> cache_ = std::make_unique<RuleCache>();
  UnwindRule rule_;
};

TEST_F(RuleCacheTest, ZeroedMemoryIsAnEmptyCache) {
  EXPECT_FALSE(cache_->Find(0x401000, &rule_));
  EXPECT_EQ(cache_->misses(), 0u);
}

TEST_F(RuleCacheTest, GivesBackWhatWasInserted) {
  cache_->Insert(0x401000, Rule(24), 0);
  ASSERT_TRUE(cache_->Find(0x401000, &rule_));
  EXPECT_EQ(rule_.kind, UnwindRuleKind::kFromSp);
  EXPECT_EQ(rule_.fp_offset, -16);
  EXPECT_EQ(rule_.cfa_offset, 24);
  EXPECT_FALSE(cache_->Find(0x401001, &rule_));
  EXPECT_EQ(cache_->misses(), 1u);
}

TEST_F(RuleCacheTest, ForgetsEverythingUnderANewGeneration) {
  for (uintptr_t key = 1; key <= 1000; ++key) cache_->Insert(key * 16, Rule(8), 0);
  cache_->Sync(0);
  EXPECT_TRUE(cache_->Find(16 * 1000, &rule_));
  cache_->Sync(1);
  for (uintptr_t key = 1; key <= 1000; ++key) EXPECT_FALSE(cache_->Find(key * 16, &rule_));
}

TEST_F(RuleCacheTest, DropsARuleFoundUnderAnOlderGeneration) {
  cache_->Sync(5);
  cache_->Insert(0x401000, Rule(8), 4);
  EXPECT_FALSE(cache_->Find(0x401000, &rule_));
}

TEST_F(RuleCacheTest, KeepsTheTwoNewestOfASetAndNeverGivesAnothersRule) {
  // Far more keys than entries: any rule found must be the key's own.
  constexpr uintptr_t kKeys = 10 * RuleCache::kSets;
  for (uintptr_t key = 1; key <= kKeys; ++key) {
    cache_->Insert(key * 5, Rule(static_cast<int32_t>(key)), 0);
    ASSERT_TRUE(cache_->Find(key * 5, &rule_));
  }
  unsigned found = 0;
  for (uintptr_t key = 1; key <= kKeys; ++key) {
    if (!cache_->Find(key * 5, &rule_)) continue;
    ++found;
    EXPECT_EQ(rule_.cfa_offset, static_cast<int32_t>(key));
  }
  EXPECT_EQ(found, 2 * RuleCache::kSets);
}

}  // namespace
}  // namespace ompprof::collect
