// Entry points in signal handlers: sampled.cc counts inconsistent answers. The tests say which cases it must have met.
#include <gtest/gtest.h>
#include <stdio.h>

#include "tests/integration/runtime_shim/activation/launch.h"

namespace gomp_ompt {
namespace {

#if defined(__SANITIZE_THREAD__)
constexpr long kFewest = 20;  // it holds signals back until the thread comes to a call
#else
constexpr long kFewest = 200;
#endif

void CheckRun(const Environment& environment) {
  const Outcome outcome = RunUnderShim("sampled", {"3"}, environment);
  EXPECT_TRUE(outcome.Exited(0)) << outcome.Describe();
  long samples = 0, unknown = 0, idle = 0, serial = 0, parallel = 0, waiting = 0, tasks = 0, target = 0, deep = 0;
  long failures = -1;
  ASSERT_EQ(sscanf(outcome.out.c_str(),
                   "%ld samples: unknown %ld, idle %ld, serial %ld, parallel %ld, waiting %ld, explicit tasks %ld, "
                   "target %ld, deep %ld\n%ld failures",
                   &samples, &unknown, &idle, &serial, &parallel, &waiting, &tasks, &target, &deep, &failures),
            10)
      << outcome.Describe();
  EXPECT_EQ(failures, 0);
  EXPECT_GT(samples, 10 * kFewest);
  for (const long some : {unknown, idle, serial, parallel, waiting, tasks, target, deep})
    EXPECT_GT(some, kFewest / 4) << outcome.out;
}

TEST(Sampled, EveryThread) { CheckRun({}); }

TEST(Sampled, ThreadsThatAreBoundToPlaces) { CheckRun({{"OMP_PLACES", "threads"}, {"OMP_PROC_BIND", "spread"}}); }

}  // namespace
}  // namespace gomp_ompt
