// Every entry point gives the known answers. entry_points.c has them beside its questions.
#include <gtest/gtest.h>

#include "tests/integration/runtime_shim/activation/launch.h"

namespace gomp_ompt {
namespace {

TEST(EntryPoints, WithoutPlaces) {
  const Outcome outcome = RunUnderShim("entry_points", {"0"});
  EXPECT_TRUE(IsDone(outcome)) << outcome.Describe();
}

TEST(EntryPoints, WithPlaces) {
  const Outcome outcome =
      RunUnderShim("entry_points", {"2"}, {{"OMP_PLACES", "{0},{1}"}, {"OMP_PROC_BIND", "spread,close"}});
  EXPECT_TRUE(IsDone(outcome)) << outcome.Describe();
}

TEST(EntryPoints, StateOfAThreadThatWaitsForADevice) {
  const Outcome outcome = RunUnderShim("device", {}, {}, {"libfake_device.so"});
  EXPECT_TRUE(IsDone(outcome)) << outcome.Describe();
}

}  // namespace
}  // namespace gomp_ompt
