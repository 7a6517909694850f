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
  ExpectClaims(*recorded, [](const Recorded& one, Claims* claims) {
    const Profile& profile = one.profile;
    const double all = profile.CpuNs();
    const double unnamed = UnnamedNs(profile) / all;
    claims->Mostly("most of the library's waits are named", unnamed < 0.1);
    const double waited = one.truth.states.at("library_wait") / one.truth.process;
    // The work is a count of iterations: it takes twice its 60 % where two threads share a core.
    claims->Mostly("the program itself waits", 0.15 < waited && waited < 0.5);
    const auto add = [&](const char* what, double share) { AddShare(one, what, share, waited - unnamed, 2, claims); };
    add("the function", profile.FunctionSelfNs("<waiting: OpenBLAS>") / all);
    add("the path", profile.PathNs({"main", "wait_for_library", "<waiting: OpenBLAS>"}) / profile.StackTotal());
    EXPECT_EQ(profile.StateNs("library_wait"), profile.FunctionSelfNs("<waiting: OpenBLAS>"));
    const double yields = profile.FunctionSelfNs("sched_yield") + profile.FunctionSelfNs("__sched_yield");
    claims->AtMost("percent of the CPU time in sched_yield", 100 * yields / all, 0, 1);

    const nlohmann::json efficiency = profile.report().at("efficiency");
    EXPECT_EQ(efficiency.value("library_wait_ns", 0.0), profile.StateNs("library_wait"));
    double lived = 0;
    for (const char* part :
         {"library_wait_ns", "useful_ns", "mpi_ns", "ready_ns", "blocked_ns", "ompprof_ns", "wait_ns", "idle_ns"})
      lived += efficiency.value(part, 0.0);
    claims->Near("threads that lived", lived / efficiency.value("duration_ns", 0.0), 2, 0.02);
  });
}

// A stripped library names no function of its own: it waits where it calls sched_yield, and is unnamed code elsewhere.
INSTANTIATE_TEST_SUITE_P(Library, LibraryWaits, ::testing::Values("library_spin", "library_spin_stripped"));

}  // namespace
}  // namespace ompprof::testing
