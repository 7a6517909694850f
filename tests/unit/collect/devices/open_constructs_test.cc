#include "profiler/collect/devices/open_constructs.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

namespace ompprof::collect {
namespace {

TEST(OpenConstructs, AreFoundByTaskAndNumber) {
  const auto constructs = std::make_unique<OpenConstructs>();
  int task, other;
  EXPECT_EQ(constructs->Find(&task), nullptr);
  OpenConstruct* construct = constructs->Take(&task);
  ASSERT_NE(construct, nullptr);
  EXPECT_EQ(constructs->Find(&task), construct);
  EXPECT_EQ(constructs->Find(&other), nullptr);
  const uint64_t number = constructs->NumberOf(construct);
  EXPECT_EQ(constructs->At(number), construct);
  EXPECT_EQ(constructs->At(0), nullptr);
  EXPECT_EQ(constructs->At(~uint64_t{0}), nullptr);  // a word that another tool or runtime has filled
  OpenConstructs::Free(construct);
  EXPECT_EQ(constructs->At(number), nullptr);
  EXPECT_EQ(constructs->Find(&task), nullptr);
}

// A discarded task's address comes again.
TEST(OpenConstructs, ReplaceATaskAtTheSameAddress) {
  const auto constructs = std::make_unique<OpenConstructs>();
  int task;
  OpenConstruct* construct = constructs->Take(&task);
  construct->path.node = 5;
  EXPECT_EQ(constructs->Take(&task), construct);
  EXPECT_EQ(construct->path.node, 0u);
}

// Tasks that were created and never begin do not fill the places for good.
TEST(OpenConstructs, GiveThePlacesOfTasksThatHaveNotBegun) {
  const auto constructs = std::make_unique<OpenConstructs>();
  std::vector<char> tasks(100000);
  for (const char& task : tasks) ASSERT_NE(constructs->Take(&task), nullptr);
  size_t begun = 0;
  for (size_t i = 0; i < 4096; ++i) {
    OpenConstruct* construct = constructs->Take(&tasks[i]);
    if (construct == nullptr) continue;
    construct->begun = true;
    ++begun;
  }
  EXPECT_GT(begun, 1000u);
  EXPECT_LT(begun, 4096u);  // all places are taken by constructs that have begun
  constructs->Forget();
  EXPECT_NE(constructs->Take(&tasks[9000]), nullptr);
}

}  // namespace
}  // namespace ompprof::collect
