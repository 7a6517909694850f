// Routines of OpenMP's API that the program calls are functions of their own (tests/programs/routines.cc).
#include <gtest/gtest.h>

#include <string>

#include "tests/integration/expect.h"
#include "tests/integration/harness.h"
#include "tests/integration/profile.h"

namespace ompprof::testing {
namespace {

struct Runtime {
  const char* name;
  const char* program;
  int libomp;
};

class Routines : public ::testing::TestWithParam<Runtime> {};

TEST_P(Routines, HaveTheirNames) {
  const Runtime& runtime = GetParam();
  if (runtime.libomp != 0 && RuntimeFolder(runtime.libomp).empty())
    GTEST_SKIP() << "libomp " << runtime.libomp << " is not under .deps/: scripts/setup could not download it.";
  const auto recorded = Record({.program = runtime.program, .frequency = 1000, .libomp = runtime.libomp});
  ASSERT_TRUE(recorded);
  ExpectClaims(*recorded, [](const Recorded& each, Claims* claims) {
    const Profile& profile = each.profile;
    const auto share = [&](const char* function, const char* routine) {
      return 100 * profile.PathNs({function, routine}) / each.truth.functions.at(function);
    };
    // Under the shim, the program calls a function that jumps to the routine, and samples in that jump are <ompprof>.
    // Of a routine with three instructions, they are few or nearly all, by the processor.
    const auto with_jump = [&](const char* function, const char* routine) {
      return share(function, routine) + share(function, "<ompprof>");
    };
    // The loop around the call takes the rest: two instructions of it, and the program's jump to the routine.
    claims->AtLeast("percent of ask_time in omp_get_wtime", share("ask_time", "omp_get_wtime"), 90, 5);
    claims->AtLeast("percent of ask_number in omp_get_thread_num", with_jump("ask_number", "omp_get_thread_num"), 40,
                    10);
    claims->AtLeast("percent of take_lock in omp_unset_lock", with_jump("take_lock", "omp_unset_lock"), 8, 4);
    claims->AtMost("percent of the CPU time in the runtime",
                   100 * profile.FunctionSelfNs("<omp overhead>") / profile.CpuNs(), 0, 0.5);
  });
}

INSTANTIATE_TEST_SUITE_P(, Routines,
                         ::testing::Values(Runtime{"libomp14", "routines", 0}, Runtime{"libomp19", "routines", 19},
                                           Runtime{"libgomp", "routines_gcc", 0}),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace ompprof::testing
