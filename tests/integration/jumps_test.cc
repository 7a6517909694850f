// Jumps within a region: into the runtime, and out of it.
//
// Functions and bodies of regions that end with a jump into the runtime (tests/programs/jumps.cc). Tasks that the
// primary thread executes there are under their region, as those of the other threads are.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
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

class Jumps : public ::testing::TestWithParam<Runtime> {};

TEST_P(Jumps, TasksAreUnderTheirRegion) {
  const Runtime& runtime = GetParam();
  if (runtime.libomp != 0 && RuntimeFolder(runtime.libomp).empty())
    GTEST_SKIP() << "libomp " << runtime.libomp << " is not under .deps/: scripts/setup could not download it.";
  const auto recorded = Record({.program = runtime.program, .libomp = runtime.libomp});
  ASSERT_TRUE(recorded);
  ExpectClaims(*recorded, [](const Recorded& each, Claims* claims) {
    AddShares(each, {}, claims);
    const Profile& profile = each.profile;
    claims->AtMost("percent of the CPU time in the runtime",
                   100 * profile.FunctionSelfNs("<omp overhead>") / profile.CpuNs(), 0, 3);
    std::map<std::string, double> outside;  // of the region of its function
    for (const Profile::Stack& stack : profile.stacks()) {
      const std::string& leaf = stack.frames.back().function;
      const size_t end = leaf.size() - std::min(leaf.size(), sizeof "_work" - 1);
      if (leaf.substr(end) != "_work") continue;  // glibc has a dl_open_worker_begin
      const std::string region = leaf.substr(0, end) + "_last [omp parallel jumps.cc:";
      bool within = false;
      for (const Profile::Frame& frame : stack.frames) within = within || frame.function.rfind(region, 0) == 0;
      outside[leaf] += within ? 0 : stack.ns;
    }
    std::string works;
    for (const auto& [work, ns] : outside) works += " " + work;
    EXPECT_EQ(works, " barrier_work depend_work fork_work many_forks_work");
    for (const auto& [work, ns] : outside)
      claims->AtMost("percent of the CPU time outside its region: " + work, 100 * ns / profile.CpuNs(), 0, 0.5);
  });
}

INSTANTIATE_TEST_SUITE_P(, Jumps,
                         ::testing::Values(Runtime{"libomp14", "jumps", 0}, Runtime{"libomp19", "jumps", 19},
                                           Runtime{"libgomp", "jumps_gcc", 0}),
                         [](const auto& info) { return info.param.name; });

// A thread whose wait for a lock has ended with a jump works. Before, all its time was <omp lock>.
TEST(JumpsOutOfLocks, EndTheWait) {
  const auto recorded = Record({.program = "left_locks_gcc"});
  ASSERT_TRUE(recorded);
  for (const char* work : {"after_jumps", "after_lock"}) {
    EXPECT_GT(recorded->profile.FunctionSelfNs(work), recorded->truth.functions.at(work) / 2) << work;
    for (const Profile::Stack& stack : recorded->profile.stacks()) {
      bool works = false;
      for (const Profile::Frame& frame : stack.frames) works |= frame.function == work;
      EXPECT_EQ(works, works && stack.frames.back().function == work) << stack.frames.back().function;
    }
  }
}

}  // namespace
}  // namespace ompprof::testing
