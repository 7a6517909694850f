// The calling-context tree gives one node for one parent and key, within its room and memory budget. A reader at the
// same time sees whole nodes only.
#include "profiler/collect/cct/tree.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <random>
#include <thread>
#include <utility>

#include "profiler/collect/base/os.h"

namespace ompprof::collect {
namespace {

class TreeTest : public testing::Test {
 protected:
  void SetUp() override { tree_->Init(1); }
  void TearDown() override { tree_->Destroy(); }
  std::unique_ptr<Tree> tree_ = std::make_unique<Tree>();
};

TEST_F(TreeTest, SameParentAndKeyIsTheSameNode) {
  const uint32_t root = tree_->Child(0, MakeKey(0, 1));
  const uint32_t a = tree_->Child(root, MakeKey(0x1234, 2));
  EXPECT_EQ(root, 1u);
  EXPECT_EQ(a, 2u);
  EXPECT_EQ(tree_->Child(root, MakeKey(0x1234, 2)), a);
  EXPECT_NE(tree_->Child(root, MakeKey(0x1234, 18)), a) << "the kind is a part of the key";
  EXPECT_NE(tree_->Child(a, MakeKey(0x1234, 2)), a) << "so is the parent";
  EXPECT_EQ(tree_->size(), 4u);
  EXPECT_EQ(tree_->node(a).parent, root);
  EXPECT_EQ(KeyValue(tree_->node(a).key), 0x1234u);
  EXPECT_EQ(KeyKind(tree_->node(a).key), 2);
}

// Compared with std::map, through many splits and chunks.
TEST_F(TreeTest, AgreesWithAMap) {
  std::mt19937_64 random(7);
  std::map<std::pair<uint32_t, NodeKey>, uint32_t> expected;
  for (int i = 0; i < 100000; ++i) {
    const uint32_t parent = tree_->size() == 0 ? 0 : static_cast<uint32_t>(random() % (tree_->size() + 1));
    const NodeKey key = MakeKey(0x7f0000000000 + random() % 8, 2);
    const uint32_t node = tree_->Child(parent, key);
    ASSERT_NE(node, 0u);
    const auto [entry, added] = expected.insert({{parent, key}, node});
    ASSERT_EQ(entry->second, node);
    if (added) {
      ASSERT_EQ(node, expected.size());
    }
  }
  for (const auto& [where, node] : expected) EXPECT_EQ(tree_->Child(where.first, where.second), node);
}

TEST_F(TreeTest, KeepsToTheMemoryBudget) {
  SetMemoryBudget(MappedMemory());
  EXPECT_EQ(tree_->Child(0, MakeKey(1, 2)), 0u);
  SetMemoryBudget(MappedMemory() + 200000);
  uint32_t added = 0;
  while (tree_->Child(0, MakeKey(added, 2)) != 0) ++added;
  EXPECT_GE(added, Tree::kChunkNodes);
  EXPECT_LT(added, 20000u);
  EXPECT_EQ(tree_->Child(0, MakeKey(5, 2)), 6u) << "what is there is still found";
  SetMemoryBudget(~0ull);
  EXPECT_EQ(tree_->Child(0, MakeKey(added, 2)), added + 1);
}

// The writer works at the same time: published nodes are complete. (Run this test under --config=tsan too.)
TEST_F(TreeTest, AReaderSeesOnlyWholeNodes) {
  constexpr uint32_t kNodes = 50000;
  std::thread reader([this] {
    uint32_t checked = 0;
    while (checked < kNodes) {
      const uint32_t size = tree_->size();
      for (; checked < size; ++checked) {
        const Node& node = tree_->node(checked + 1);
        ASSERT_EQ(node.parent, checked);
        ASSERT_EQ(KeyValue(node.key), checked * 3ull);
      }
    }
  });
  uint32_t node = 0;
  for (uint32_t i = 0; i < kNodes; ++i) node = tree_->Child(node, MakeKey(i * 3ull, 2));
  reader.join();
  EXPECT_EQ(node, kNodes);
}

}  // namespace
}  // namespace ompprof::collect
