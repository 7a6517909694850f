// The signal handler allocates nothing, takes no lock and prints nothing. libpoison.so stands in front of malloc,
// pthread_mutex_lock, the loader's lock, stdio and similar functions. It ends a process whose handler calls one of
// them. All programs run under it at 10 kHz.
#include <gtest/gtest.h>

#include "tests/integration/harness.h"
#include "tests/integration/profile.h"

namespace ompprof::testing {
namespace {

// A thousand samples and more, of each program.
constexpr char kWorkMs[] = "120";

Launch Poisoned(const std::string& program, const std::vector<std::string>& arguments) {
  Launch launch{program, arguments};
  launch.load = Load::kPreload;
  launch.collector = TestingCollectorPath();
  launch.preload_also = ProgramPath("../integration/libpoison.so");
  launch.frequency = 10000;
  launch.environment["OMP_MAX_ACTIVE_LEVELS"] = "2";
  launch.environment["OMPPROF_TIMELINE"] = "1";  // the handler does its usual work and takes its usual time
  return launch;
}

TEST(HandlerSafety, ACallWouldBeNoticed) {
  Launch launch = Poisoned("flat", {"50"});
  launch.environment["POISON_SELF_TEST"] = "30";
  const Outcome outcome = RunProgram(launch);
  EXPECT_TRUE(outcome.Exited(99)) << outcome.Describe();
  EXPECT_NE(outcome.err.find("poison: "), std::string::npos) << outcome.err;
}

struct Program {
  const char* name;
  std::vector<std::string> arguments = {};
  int status = 0;
};

class HandlerSafety : public ::testing::TestWithParam<std::tuple<int, Program>> {};

TEST_P(HandlerSafety, NothingThatLocksOrAllocates) {
  const auto& [libomp, program] = GetParam();
  if (libomp != 0 && RuntimeFolder(libomp).empty()) {
    GTEST_SKIP() << "libomp " << libomp << " is not under .deps/: scripts/setup could not download it.";
  }
  std::vector<std::string> arguments = program.arguments;
  for (std::string& argument : arguments) {
    if (argument == "LIBRARY") argument = ProgramPath("libdlopen_omp.so");
  }
  Launch launch = Poisoned(program.name, arguments);
  launch.libomp = libomp;
  const Outcome outcome = RunProgram(launch);
  EXPECT_TRUE(outcome.Exited(program.status)) << outcome.Describe();
  EXPECT_EQ(outcome.err.find("poison: "), std::string::npos) << outcome.err;
  ASSERT_FALSE(outcome.profiles.empty());
  // The handler ran hundreds of times.
  const Profile profile(outcome.profiles[0]);
  ASSERT_EQ(profile.error(), "");
  EXPECT_GT(profile.Samples(), 100);
}

std::string NameOf(const ::testing::TestParamInfo<HandlerSafety::ParamType>& info) {
  const Program& program = std::get<1>(info.param);
  std::string name = program.name;
  for (const std::string& argument : program.arguments) name += "_" + argument;
  return name + (std::get<0>(info.param) == 0 ? "" : "_libomp19");
}

// The handler then calls the shim's entry points.
INSTANTIATE_TEST_SUITE_P(
    Gomp, HandlerSafety,
    ::testing::Combine(::testing::Values(0),
                       ::testing::Values(Program{"call_sites_gcc", {kWorkMs}}, Program{"nested_gcc", {kWorkMs}},
                                         Program{"tasks_gcc", {kWorkMs}}, Program{"constructs_gcc", {kWorkMs}},
                                         Program{"waits_gcc", {"critical", kWorkMs}},
                                         Program{"waits_gcc", {"taskwait", kWorkMs}},
                                         Program{"waits_gcc", {"lock", kWorkMs}}, Program{"locks_gcc", {"60"}},
                                         Program{"stages_gcc"}, Program{"two_runtimes", {"LIBRARY", kWorkMs}})),
    NameOf);

INSTANTIATE_TEST_SUITE_P(
    Programs, HandlerSafety,
    ::testing::Combine(
        ::testing::Values(0, 19),
        ::testing::Values(Program{"flat", {kWorkMs}}, Program{"recursion", {kWorkMs}}, Program{"call_sites", {kWorkMs}},
                          Program{"nested", {kWorkMs}}, Program{"tasks", {kWorkMs}}, Program{"constructs", {kWorkMs}},
                          Program{"called_back", {kWorkMs}}, Program{"std_threads", {kWorkMs}},
                          Program{"dlopen_omp", {"LIBRARY", kWorkMs}}, Program{"qsort_worker", {kWorkMs}},
                          Program{"exceptions", {kWorkMs}}, Program{"waits", {"critical", kWorkMs}},
                          Program{"waits", {"taskwait", kWorkMs}}, Program{"waits", {"ordered", kWorkMs}},
                          Program{"locks", {"30"}}, Program{"stages"}, Program{"host", {"thread_storm", "300"}},
                          Program{"flat_gcc", {kWorkMs}}, Program{"exits", {"return", kWorkMs}, 17},
                          Program{"exits", {"_exit", kWorkMs}, 17})),
    NameOf);

}  // namespace
}  // namespace ompprof::testing
