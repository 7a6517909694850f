// The machine code on the page: which functions and instructions it has, and their costs.
#include "profiler/report/html/hot_code.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/unit/analyze/team.h"

namespace ompprof::report {
namespace {

using test::Team;
using Costs = std::vector<std::pair<uint64_t, size_t>>;
using Indices = std::vector<size_t>;

TEST(ShownInstructionsTest, AllOfAShortFunction) {
  EXPECT_EQ(ShownInstructions(3, {}, 3), (Indices{0, 1, 2}));
  EXPECT_EQ(ShownInstructions(0, {}, 3), Indices{});
}

TEST(ShownInstructionsTest, OnlyThoseAroundTheLargestCosts) {
  const Indices shown = ShownInstructions(1000, {{5, 10}, {900, 500}, {70, 990}}, 40);
  EXPECT_EQ(shown.size(), 40U);
  EXPECT_EQ(std::count_if(shown.begin(), shown.end(), [](size_t at) { return at >= 492 && at <= 508; }), 17);
  EXPECT_EQ(std::count_if(shown.begin(), shown.end(), [](size_t at) { return at >= 982; }), 17);
  EXPECT_EQ(shown.front(), 2U) << "the rest is for the smallest cost";
  EXPECT_TRUE(std::is_sorted(shown.begin(), shown.end()));
}

class HotCodeTest : public ::testing::Test {
 protected:
  HotCodeTest() { team_.Build(); }
  Team team_;
};

TEST_F(HotCodeTest, HasTheCostOfEachSampledInstruction) {
  const uint32_t node = team_.Frames(3, team_.Root(3), {"in_main", "in_compute"});
  team_.builder.AddSample({.tree = 3, .node = node, .thread = 1, .state = OmptState::kWorkSerial, .weight = 7000});
  team_.Build();
  const std::vector<HotFunction> hot = HotCode(team_.view, &team_.symbolizer, "objdump");
  ASSERT_FALSE(hot.empty());
  EXPECT_EQ(hot[0].name, "compute");
  EXPECT_EQ(hot[0].symbol, "compute");
  EXPECT_EQ(hot[0].problem, "");
  uint64_t weight = 0;
  for (const HotInstruction& instruction : hot[0].instructions) {
    EXPECT_FALSE(instruction.text.empty());
    weight += instruction.cost.self.weight;
  }
  EXPECT_EQ(weight, hot[0].self.weight);
  EXPECT_GE(weight, 7000U);
}

TEST_F(HotCodeTest, KeepsTheCostsWithoutADisassembler) {
  const uint32_t node = team_.Frames(3, team_.Root(3), {"in_main", "in_compute"});
  team_.builder.AddSample({.tree = 3, .node = node, .thread = 1, .state = OmptState::kWorkSerial, .weight = 7000});
  team_.Build();
  const std::vector<HotFunction> hot = HotCode(team_.view, &team_.symbolizer, "no-such-objdump");
  ASSERT_FALSE(hot.empty());
  EXPECT_NE(hot[0].problem.find("no-such-objdump"), std::string::npos);
  ASSERT_FALSE(hot[0].instructions.empty());
  EXPECT_EQ(hot[0].instructions[0].cost.self.weight, hot[0].self.weight);
}

TEST_F(HotCodeTest, ReadsNothingUnasked) { EXPECT_TRUE(HotCode(team_.view, &team_.symbolizer, "").empty()); }

}  // namespace
}  // namespace ompprof::report
