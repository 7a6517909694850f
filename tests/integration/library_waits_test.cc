// A thread that spins in a library named like OpenBLAS for 40 % of the CPU time waits, and does not work.
#include <gtest/gtest.h>

#include <string>

#include "tests/integration/expect.h"

namespace ompprof::testing {
namespace {

// CPU time in the code of the stripped library that has no name, without the C library's functions that it calls.
double UnnamedNs(const Profile& profile) {
  double ns = 0;
  for (const Profile::Stack& stack : profile.stacks())
    ns += stack.frames.back().function.rfind("libopenblas_spin_stripped.so+", 0) == 0 ? stack.ns : 0;
  return ns;
}

class LibraryWaits : public ::testing::TestWithParam<const char*> {};

TEST_P(LibraryWaits, SpinningIsNoWork) {
  const auto recorded = Record({GetParam(), {"2000"}});
  ASSERT_TRUE(recorded);
  const Profile& profile = recorded->profile;
  const double all = profile.CpuNs();
  const double unnamed = UnnamedNs(profile) / all;
  EXPECT_LT(unnamed, 0.1);
  const double share = recorded->truth.states.at("library_wait") / recorded->truth.process - unnamed;
  EXPECT_NEAR(share + unnamed, 0.4, 0.1) << "the program itself";
  EXPECT_NEAR(profile.FunctionSelfNs("<waiting: OpenBLAS>") / all, share, 0.02);
  EXPECT_NEAR(profile.StateNs("library_wait") / all, share, 0.02);
  EXPECT_LT(profile.FunctionSelfNs("sched_yield") + profile.FunctionSelfNs("__sched_yield"), 0.01 * all);
  EXPECT_NEAR(profile.PathNs({"main", "wait_for_library", "<waiting: OpenBLAS>"}) / profile.StackTotal(), share, 0.02);

  const nlohmann::json efficiency = profile.report().at("efficiency");
  const double waited = efficiency.value("library_wait_ns", 0.0);
  EXPECT_NEAR(waited / all, share, 0.02);
  double lived = waited;
  for (const char* part : {"useful_ns", "mpi_ns", "ready_ns", "blocked_ns", "ompprof_ns", "wait_ns", "idle_ns"})
    lived += efficiency.value(part, 0.0);
  EXPECT_NEAR(lived, 2 * efficiency.value("duration_ns", 0.0), 0.01 * lived);
}

// A stripped library names no function of its own: it waits where it calls sched_yield, and is unnamed code elsewhere.
INSTANTIATE_TEST_SUITE_P(Library, LibraryWaits, ::testing::Values("library_spin", "library_spin_stripped"));

}  // namespace
}  // namespace ompprof::testing
