// Programs compiled by gcc, g++ and gfortran, on GCC's libgomp behind the shim. The known answers are as exact as on
// libomp (accuracy_test), at several thread counts. The tests also cover the ways to load the shim, and profiles
// without it.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <string>
#include <tuple>
#include <vector>

#include "tests/integration/expect.h"

namespace ompprof::testing {
namespace {

const KnownAnswer kKnown[] = {
    {"flat_gcc", {"work_a", "work_b", "work_c"}},
    {"call_sites_gcc", {"site_work"}, true},
    {"tasks_gcc", {"task_work"}},
    {"constructs_gcc", {"construct_work"}},
    {"recursion_gcc", {"work_shallow", "work_deep"}},
    {"nested_gcc", {"nested_work"}, false, false, 2},
    {"serial_then_parallel_gcc", {}, false, true},
    {"std_threads_gcc", {"region_work"}},
    {"dlopen_omp", {"library_work", "host_work"}},
    {"qsort_worker_gcc", {"compare_work"}},
    {"exceptions_gcc", {"throw_storm"}},
    {"flat_c", {"work_a", "work_b", "work_c"}},
    {"nested_c", {"nested_work"}, false, false, 2},
    {"flat_fortran", {"works::work_a", "works::work_b", "works::work_c"}},
    {"call_sites_fortran", {"sites::site_work"}, true},
    {"nested_fortran", {"inner::nested_work"}, false, false, 2},
    {"tasks_fortran", {"queue::task_work"}},
};

constexpr char kShim[] = "libgomp_ompt";

std::string Runtime(const Profile& profile) { return profile.report().value("runtime", ""); }

class Gomp : public ::testing::TestWithParam<std::tuple<KnownAnswer, int>> {};

TEST_P(Gomp, KnownAnswer) {
  const auto& [known, threads] = GetParam();
  Launch launch;
  launch.threads = threads;
  const auto recorded = ExpectKnownAnswer(known, "libdlopen_omp_gcc.so", launch);
  ASSERT_TRUE(recorded);
  EXPECT_EQ(Runtime(recorded->profile).rfind(kShim, 0), 0u) << Runtime(recorded->profile);
}

INSTANTIATE_TEST_SUITE_P(All, Gomp, ::testing::Combine(::testing::ValuesIn(kKnown), ::testing::Values(1, 2, 4, 16)),
                         [](const auto& info) {
                           return std::string(std::get<0>(info.param).program) + "_threads" +
                                  std::to_string(std::get<1>(info.param));
                         });

// gcc's bodies all have one kind of name, so the runtime tells the tasks: of if(0), and of a task within a final task.
TEST(GompNames, OfTasksThatRunAtOnce) {
  const auto recorded = Record(Launch{"constructs_gcc", {std::to_string(KnownAnswerCpuMs())}});
  ASSERT_TRUE(recorded);
  ExpectClaims(*recorded, [](const Recorded& each, Claims* claims) {
    double all = 0, at_once = 0, deferred = 0;
    for (const Profile::Stack& stack : each.profile.stacks()) {
      for (const Profile::Frame& frame : stack.frames) {
        EXPECT_EQ(frame.function.find("_task [omp region"), std::string::npos) << frame.function;
        if (frame.function == "in_undeferred_task") all += stack.ns;
        if (frame.function.rfind("in_undeferred_task [omp task (run at once) constructs.cc:", 0) == 0)
          at_once += stack.ns;
        if (frame.function.rfind("in_final_task [omp task constructs.cc:", 0) == 0) deferred += stack.ns;
      }
    }
    // The rest is the runtime's.
    claims->AtLeast("in_undeferred_task's time in its task", at_once / all, 0.92, 0.03);
    const double least = 0.05 * each.profile.CpuNs();
    claims->Mostly("both tasks have a twentieth of the CPU time", all > least && deferred > least);
  });
  const std::string functions = recorded->profile.report()["functions"].dump();
  EXPECT_NE(functions.find("in_final_task [omp task (run at once) constructs.cc:"), std::string::npos);
}

// A construct's name is made from gcc's name for its body: the body of a clone, of the main program, of a module's
// procedure.
TEST(GompNames, OfRegions) {
  const struct {
    const char* program;
    std::vector<std::string> regions;
  } cases[] = {
      {"flat_c", {"main [omp parallel flat.c:"}},
      {"nested_c", {"outer_region [omp parallel nested.c:", "inner_region [omp parallel nested.c:"}},
      {"flat_fortran", {"flat [omp parallel flat.F90:"}},
      {"nested_fortran", {"outer_region [omp parallel nested.F90:", "inner::region [omp parallel nested.F90:"}},
      {"call_sites_fortran", {"sites::solve [omp parallel call_sites.F90:"}},
  };
  for (const auto& known : cases) {
    SCOPED_TRACE(known.program);
    Launch launch{known.program, {"200"}};
    launch.environment["OMP_MAX_ACTIVE_LEVELS"] = "2";
    const auto recorded = Record(launch);
    ASSERT_TRUE(recorded);
    const nlohmann::json regions = recorded->profile.report().value("regions", nlohmann::json::array());
    EXPECT_EQ(regions.size(), known.regions.size()) << regions.dump(1);
    for (const std::string& wanted : known.regions) {
      bool found = false;
      for (const nlohmann::json& region : regions) found |= region.value("name", "").rfind(wanted, 0) == 0;
      EXPECT_TRUE(found) << wanted << " is not among\n" << regions.dump(1);
    }
  }
}

// libgomp and libomp in one process. Each has the tool, and the path of a region of one leads through a region of the
// other.
TEST(Gomp, BesideLibomp) {
  Launch launch{"two_runtimes", {ProgramPath("libdlopen_omp.so"), std::to_string(2 * KnownAnswerCpuMs())}};
  const auto recorded = Record(launch);
  ASSERT_TRUE(recorded);
  ExpectShares(*recorded);
  ExpectUnderMain(*recorded, "own_work");
  ExpectUnderMain(*recorded, "library_work");
  EXPECT_NE(Runtime(recorded->profile).find(kShim), std::string::npos) << Runtime(recorded->profile);
  EXPECT_NE(Runtime(recorded->profile).find("LLVM"), std::string::npos) << Runtime(recorded->profile);
}

void ExpectFlat(const Launch& launch, bool regions, int warnings = 0) {
  const auto recorded = Record(launch, warnings);
  ASSERT_TRUE(recorded);
  const Profile& profile = recorded->profile;
  ExpectShares(*recorded);
  EXPECT_EQ(Runtime(profile).rfind(kShim, 0) == 0, regions) << Runtime(profile);
  EXPECT_EQ(profile.report().value("regions", nlohmann::json::array()).size(), regions ? 1u : 0u);
  if (regions) ExpectUnderMain(*recorded, "work_a");
}

Launch Flat() {
  Launch launch{"flat_gcc", {std::to_string(KnownAnswerCpuMs())}};
  return launch;
}

TEST(GompShim, PreloadedByHand) {
  Launch launch = Flat();
  launch.environment["LD_PRELOAD"] = CollectorPath() + ":" + ShimPath();
  launch.load = Load::kPreload;
  ExpectFlat(launch, true);
}

TEST(GompShim, PreloadedAndTheCollectorNamedAsTool) {
  Launch launch = Flat();
  launch.environment["LD_PRELOAD"] = ShimPath();
  launch.load = Load::kToolLibraries;
  ExpectFlat(launch, true);
}

// The profile then has the threads' own stacks and no runtime. One line of the collector says so, and how to get more.
TEST(GompShim, LeftOut) {
  for (const char* program : {"flat_gcc", "flat_c"}) {
    SCOPED_TRACE(program);
    Launch launch = Flat();
    launch.program = program;
    launch.record_options = {"--gomp-shim=off"};
    ExpectFlat(launch, false, /*warnings=*/1);
  }
  Launch launch{"flat_gcc", {"100"}};
  launch.environment["OMPPROF_GOMP_SHIM"] = "off";
  const Outcome outcome = RunProgram(launch);
  EXPECT_NE(outcome.err.find("libgomp_ompt.so"), std::string::npos) << outcome.err;
  launch.load = Load::kPreload;
  EXPECT_EQ(WarningLines(RunProgram(launch).err), 1);
}

TEST(GompShim, NotInstalled) {
  const std::string folder = NewFolder();
  ASSERT_TRUE(RunCommand({"mkdir", folder + "/bin", folder + "/lib"}).Exited(0));
  ASSERT_TRUE(RunCommand({"cp", OmpprofPath(), folder + "/bin/ompprof"}).Exited(0));
  ASSERT_TRUE(RunCommand({"cp", CollectorPath(), folder + "/lib/libompprof.so"}).Exited(0));
  const Outcome outcome = RunCommand({folder + "/bin/ompprof", "record", "--", ProgramPath("flat_gcc"), "300"});
  EXPECT_TRUE(outcome.Exited(0)) << outcome.Describe();
  EXPECT_EQ(ForeignLines(outcome.err), "");
  EXPECT_EQ(WarningLines(outcome.err), 2) << "the command's and the collector's: " << outcome.err;
  EXPECT_NE(outcome.err.find(folder + "/bin/../lib/libgomp_ompt.so"), std::string::npos) << outcome.err;
  EXPECT_EQ(outcome.profiles.size(), 1u);
  const Outcome quiet = RunCommand({folder + "/bin/ompprof", "record", "--gomp-shim=off", "--", "/bin/true"});
  EXPECT_TRUE(quiet.Exited(0)) << quiet.Describe();
  EXPECT_EQ(quiet.err, "");
}

}  // namespace
}  // namespace ompprof::testing
