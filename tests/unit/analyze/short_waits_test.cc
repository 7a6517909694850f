// The waiting of all samples adds up to the waiting of all threads.
#include "profiler/analyze/builder/short_waits.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "proto/ompt_state.h"
#include "tests/unit/analyze/made_up_view.h"

namespace ompprof::analyze {
namespace {

using test::MadeUpView;

constexpr OmptState kBarrier = OmptState::kWaitBarrierImplicitParallel;
constexpr OmptState kLock = OmptState::kWaitLock;

void AddWaits(MadeUpView* made_up, uint32_t thread, OmptState state, uint64_t ns, double variance = 0) {
  WaitTotal wait{};
  wait.thread = thread;
  wait.state = state;
  wait.total_ns = ns;
  wait.estimate = {variance > 0 ? ns : 0, variance};
  made_up->view.waits.push_back(wait);
}

TEST(ShortWaits, HaveAFrameOfTheirOwn) {
  MadeUpView made_up;
  made_up.Add({.path = {"main", "<omp barrier: implicit>"}, .wait = 600, .state = kBarrier});
  AddWaits(&made_up, 1, kBarrier, 1000);
  AddWaits(&made_up, 2, kLock, 50);
  AddShortWaits(&made_up.view);
  ASSERT_EQ(made_up.view.samples.size(), 3u);
  const ViewSample& barrier = made_up.view.samples[1];
  EXPECT_EQ(made_up.Stacks()[1], std::string(kShortWaits) + " 0");
  EXPECT_EQ(barrier.cost.wait, 400u);
  EXPECT_EQ(barrier.thread, 1u);
  EXPECT_EQ(barrier.state, kBarrier);
  EXPECT_TRUE(barrier.cost.is_unsampled());
  EXPECT_EQ(made_up.view.samples[2].cost.wait, 50u);
  EXPECT_EQ(made_up.view.total_wait, 1050u);
}

// The first region has one path, the second has two, the third none. Their waits were 400, 300 and 200 ns longer than
// those with a path.
TEST(ShortWaits, AreBelowTheirRegions) {
  MadeUpView made_up;
  made_up.Add({.path = {"main", "solve", "one"}, .region = "one"});
  made_up.Add({.path = {"main", "solve", "a", "two", "work"}, .wait = 100, .state = kBarrier, .region = "two"});
  made_up.Add({.path = {"main", "solve", "b", "two"}, .region = "two"});
  AddWaits(&made_up, 1, kBarrier, 400);
  AddWaits(&made_up, 1, kBarrier, 400);
  AddWaits(&made_up, 1, kBarrier, 200);
  made_up.view.waits[0].region = made_up.Function("one");
  made_up.view.waits[1].region = made_up.Function("two");
  made_up.view.waits[2].region = made_up.Function("three");
  AddShortWaits(&made_up.view);
  std::map<std::string, uint64_t> waits;
  for (size_t i = 3; i < made_up.view.samples.size(); ++i)
    waits[made_up.Stacks()[i]] += made_up.view.samples[i].cost.wait;
  const std::string frame = std::string(kShortWaits) + " 0";
  EXPECT_EQ(waits, (std::map<std::string, uint64_t>{
                       {"main;solve;one;" + frame, 400}, {"main;solve;" + frame, 300}, {frame, 200}}));
  EXPECT_EQ(made_up.view.total_wait, 1000u);
}

TEST(ShortWaits, NoneWhereAllWaitsHaveAPath) {
  MadeUpView made_up;
  made_up.Add({.path = {"main"}, .wait = 600, .state = kBarrier});
  AddWaits(&made_up, 1, kBarrier, 600);
  AddShortWaits(&made_up.view);
  EXPECT_EQ(made_up.view.samples.size(), 1u);
  EXPECT_EQ(made_up.view.total_wait, 600u);
}

// The holder's charge is no wait of its own.
TEST(ShortWaits, NoneOfCharges) {
  MadeUpView made_up;
  AddWaits(&made_up, 1, kLock, 600);
  made_up.view.waits[0].charge = true;
  AddShortWaits(&made_up.view);
  EXPECT_EQ(made_up.view.samples.size(), 0u);
}

// The estimates of single paths are rougher than the total, which is bounded by the thread's life.
TEST(ShortWaits, EstimatesOfPathsDoNotExceedTheTotal) {
  MadeUpView made_up;
  made_up.Add({.path = {"main", "a"}, .wait = 3000, .state = kLock});
  made_up.Add({.path = {"main", "b"}, .wait = 1000, .state = kLock});
  made_up.view.samples[0].cost.wait_variance = 16;
  AddWaits(&made_up, 1, kLock, 2000, 4);
  AddShortWaits(&made_up.view);
  ASSERT_EQ(made_up.view.samples.size(), 2u);
  EXPECT_EQ(made_up.view.samples[0].cost.wait, 1500u);
  EXPECT_EQ(made_up.view.samples[0].cost.wait_variance, 4);
  EXPECT_EQ(made_up.view.samples[1].cost.wait, 500u);
  EXPECT_EQ(made_up.view.total_wait, 2000u);
}

}  // namespace
}  // namespace ompprof::analyze
