// Paths are equal exactly if their locations are equal.
#include "profiler/analyze/view/path_tree.h"

#include <gtest/gtest.h>

namespace ompprof::analyze {
namespace {

TEST(PathTree, EqualPathsAreOne) {
  PathTree tree;
  const PathId a = tree.Child(kEmptyPath, 5);
  const PathId b = tree.Child(a, 6);
  EXPECT_EQ(tree.Child(kEmptyPath, 5), a);
  EXPECT_EQ(tree.Child(a, 6), b);
  EXPECT_NE(tree.Child(kEmptyPath, 6), b);
  EXPECT_EQ(tree.Locations(b), (std::vector<LocationId>{5, 6}));
  EXPECT_TRUE(tree.Locations(kEmptyPath).empty());
}

TEST(PathTree, ManyPaths) {
  PathTree tree;
  std::vector<PathId> paths;
  for (LocationId i = 0; i < 50000; ++i) paths.push_back(tree.Child(i == 0 ? kEmptyPath : paths[i / 3], i));
  for (LocationId i = 0; i < 50000; ++i) EXPECT_EQ(tree.Child(i == 0 ? kEmptyPath : paths[i / 3], i), paths[i]);
  EXPECT_EQ(tree.size(), 50001u);
}

}  // namespace
}  // namespace ompprof::analyze
