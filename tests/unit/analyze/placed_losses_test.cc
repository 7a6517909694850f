#include "profiler/analyze/account/placed_losses.h"

#include <gtest/gtest.h>

#include "tests/unit/analyze/made_up_view.h"

namespace ompprof::analyze {
namespace {

// While one thread prints, most of the time is in no single one of the functions that printing consists of.
TEST(PlacedLosses, IdleThreadsWaitForTheFunctionWithMostOfTheSerialPart) {
  test::MadeUpView run;
  for (const char* part : {"digits", "format", "divide"})
    run.Add({.path = {"main", "write_out", part}, .weight = 300, .blame = 300, .state = OmptState::kWorkSerial});
  run.Add({.path = {"main", "digits"}, .weight = 90, .blame = 90, .state = OmptState::kWorkSerial});
  run.Add({.path = {"main", "work"}, .weight = 5000, .region = "main"});
  Efficiency efficiency;
  efficiency.threads = 2;
  efficiency.idle_ns = 990;
  const Locks locks;
  const std::vector<PlacedLoss> losses = PlaceLosses(run.view, efficiency, locks, nullptr);
  ASSERT_EQ(losses.size(), 1u);
  EXPECT_EQ(losses[0].kind, LossKind::kIdle);
  EXPECT_EQ(losses[0].ns, 990u);
  EXPECT_EQ(losses[0].where, run.Function("write_out"));
}

TEST(PlacedLosses, WithoutASerialPartThereIsNoPlace) {
  test::MadeUpView run;
  run.Add({.path = {"main", "work"}, .region = "main"});
  Efficiency efficiency;
  efficiency.threads = 2;
  efficiency.idle_ns = 10;
  const Locks locks;
  const std::vector<PlacedLoss> losses = PlaceLosses(run.view, efficiency, locks, nullptr);
  ASSERT_EQ(losses.size(), 1u);
  EXPECT_EQ(losses[0].where, kNoFunction);
}

}  // namespace
}  // namespace ompprof::analyze
