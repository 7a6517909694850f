// Which slices of a region belong together.
#include "profiler/report/exports/region_flows.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/analyze/made_up_run.h"

namespace ompprof::report {
namespace {

class RegionFlowsTest : public ::testing::Test {
 protected:
  std::vector<std::string> Flows(const std::vector<RegionSlice>& slices) const {
    std::vector<std::string> texts;
    for (const RegionFlow& flow : RegionFlows(run_.view, slices)) {
      texts.push_back(std::to_string(flow.from.begin_us) + " -> thread " + std::to_string(flow.to.thread) + " at " +
                      std::to_string(flow.at_us));
    }
    return texts;
  }

  test::MadeUpRun run_{3, test::kSecond};  // thread 1 is the initial thread
  analyze::FunctionId solve_ = run_.AddRegion("solve", 2, 100, 100, 100, 0).construct;
  analyze::FunctionId other_ = run_.AddRegion("other", 2, 100, 100, 100, 0).construct;
};

TEST_F(RegionFlowsTest, FromTheInitialThreadToEachWorker) {
  EXPECT_EQ(Flows({{0, 2, solve_, 12, 19}, {0, 1, solve_, 10, 20}, {0, 3, solve_, 9, 20}, {0, 1, solve_, 30, 40}}),
            (std::vector<std::string>{"10 -> thread 3 at 10", "10 -> thread 2 at 12"}));
}

TEST_F(RegionFlowsTest, ToTheInstanceThatOverlapsMost) {
  EXPECT_EQ(Flows({{0, 1, solve_, 10, 20}, {0, 1, solve_, 22, 40}, {0, 2, solve_, 19, 38}}),
            (std::vector<std::string>{"22 -> thread 2 at 22"}));
}

TEST_F(RegionFlowsTest, NoFlowWithoutAnOverlap) {
  EXPECT_TRUE(Flows({{0, 1, solve_, 10, 20}, {0, 2, solve_, 20, 30}, {0, 2, other_, 10, 20}}).empty());
}

TEST_F(RegionFlowsTest, NoFlowWithinRegions) {
  run_.view.regions[0].nesting_level = 1;
  EXPECT_TRUE(Flows({{0, 1, solve_, 10, 20}, {0, 2, solve_, 10, 20}}).empty());
}

}  // namespace
}  // namespace ompprof::report
