// How many threads are busy and how many wait, from made-up timelines.
#include "profiler/analyze/account/thread_counts.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/analyze/made_up_view.h"

namespace ompprof::analyze {
namespace {

class ThreadCounts : public ::testing::Test {
 protected:
  ThreadCounts() {
    made_up_.Add({.path = {"main"}, .state = OmptState::kWorkParallel});                 // sample 0
    made_up_.Add({.path = {"main"}, .state = OmptState::kWaitBarrierImplicitParallel});  // sample 1
    made_up_.Add({.path = {"main"}, .state = OmptState::kIdle});                         // sample 2
  }

  std::string Counts(const std::vector<ThreadTimeline>& timelines) const {
    std::string text;
    for (const ThreadCount& count : CountThreads(made_up_.view, timelines, 0)) {
      text += std::to_string(count.at_us) + ": " + std::to_string(count.busy) + " busy, " +
              std::to_string(count.waiting) + " waiting; ";
    }
    return text;
  }

  test::MadeUpView made_up_;
};

TEST_F(ThreadCounts, OfTwoThreads) {
  EXPECT_EQ(Counts({{0, 1, {{0, 0, 4000}, {1, 4000, 9000}, {2, 9000, 10000}}}, {0, 2, {{0, 2000, 7000}}}}),
            "0: 1 busy, 0 waiting; 2: 2 busy, 0 waiting; 4: 1 busy, 1 waiting; 7: 0 busy, 1 waiting; "
            "10: 0 busy, 0 waiting; ");
}

TEST_F(ThreadCounts, GapsCountAsNeither) {
  EXPECT_EQ(Counts({{0, 1, {{0, 0, 4000}, {0, 6000, 8000}}}}),
            "0: 1 busy, 0 waiting; 4: 0 busy, 0 waiting; 6: 1 busy, 0 waiting; 8: 0 busy, 0 waiting; ");
}

TEST_F(ThreadCounts, OfThatProcessOnly) { EXPECT_EQ(Counts({{1, 1, {{0, 0, 4000}}}}), ""); }

// Shorter than a microsecond: not in the export.
TEST_F(ThreadCounts, TinyStretchesAreNothing) { EXPECT_EQ(Counts({{0, 1, {{0, 4100, 4200}}}}), ""); }

}  // namespace
}  // namespace ompprof::analyze
