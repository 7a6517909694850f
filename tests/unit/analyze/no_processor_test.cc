#include "profiler/analyze/builder/no_processor.h"

#include <gtest/gtest.h>

#include "tests/unit/analyze/made_up_view.h"

namespace ompprof::analyze {
namespace {

using test::MadeUpView;

// A sample in main;work, which is to blame for 1,000 ns, and came while its thread was off its processor for
// `off_ns` of these. The thread could run for `ready_ns` of the 400 in which it was off its processor.
MadeUpView ViewOf(uint64_t off_ns, uint64_t ready_ns) {
  MadeUpView made_up;
  made_up.Add({.path = {"main", "work"}, .blame = 1000});
  made_up.view.samples[0].cost.off_processor_blame = off_ns;
  ThreadAccount& account = made_up.view.accounts[{0, 1}];
  account.ready_ns = ready_ns;
  account.blocked_ns = 400 - ready_ns;
  return made_up;
}

TEST(BlameNoProcessor, TakesWhatCameWhileTheThreadWasReady) {
  MadeUpView made_up = ViewOf(600, 400);
  BlameNoProcessor(&made_up.view);
  ASSERT_EQ(made_up.view.samples.size(), 2u);
  EXPECT_EQ(made_up.view.samples[0].cost.blame, 400u);
  EXPECT_EQ(made_up.view.samples[1].cost.blame, 600u);
  EXPECT_EQ(made_up.view.samples[1].cost.weight, 0u);
  EXPECT_EQ(made_up.Stacks()[1], "main;work;<no processor> 0");
}

TEST(BlameNoProcessor, LeavesSleepWhereItIs) {
  MadeUpView made_up = ViewOf(600, 100);
  BlameNoProcessor(&made_up.view);
  ASSERT_EQ(made_up.view.samples.size(), 2u);
  EXPECT_EQ(made_up.view.samples[0].cost.blame, 850u);
  EXPECT_EQ(made_up.view.samples[1].cost.blame, 150u);
  made_up = ViewOf(600, 0);
  BlameNoProcessor(&made_up.view);
  EXPECT_EQ(made_up.view.samples.size(), 1u);
}

TEST(BlameNoProcessor, TakesAllOfAThreadThatHasNotSlept) {
  MadeUpView made_up = ViewOf(0, 0);
  made_up.view.samples[0].cost.ready_blame = 700;
  BlameNoProcessor(&made_up.view);
  ASSERT_EQ(made_up.view.samples.size(), 2u);
  EXPECT_EQ(made_up.view.samples[0].cost.blame, 300u);
  EXPECT_EQ(made_up.view.samples[1].cost.blame, 700u);
}

TEST(BlameNoProcessor, LeavesWhatIsUsual) {
  MadeUpView made_up = ViewOf(19, 400);
  BlameNoProcessor(&made_up.view);
  ASSERT_EQ(made_up.view.samples.size(), 1u);
  EXPECT_EQ(made_up.view.samples[0].cost.blame, 1000u);
}

}  // namespace
}  // namespace ompprof::analyze
