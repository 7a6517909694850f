// A tool that listens to nothing, or begins to listen in the middle. unheard.c has the answers beside its questions.
#include <gtest/gtest.h>

#include "tests/integration/runtime_shim/activation/launch.h"

namespace gomp_ompt {
namespace {

TEST(Unheard, NothingThatIsNotKeptIsMissing) {
  const Outcome outcome = RunUnderShim("unheard", {});
  EXPECT_TRUE(IsDone(outcome)) << outcome.Describe();
}

}  // namespace
}  // namespace gomp_ompt
