// Programs that know their answer, with some 8,000 samples each. Every share must be within 2 points of the program's
// own measurement, and the total within 3 percent of the process's CPU time. No sample may be lost, and the workers'
// samples must be under main.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "tests/integration/expect.h"

namespace ompprof::testing {
namespace {

Launch Known(const char* program, std::vector<std::string> arguments = {}) {
  arguments.push_back(std::to_string(kKnownAnswerCpuMs));
  Launch launch{program, arguments};
  return launch;
}

TEST(Accuracy, ThreeFunctionsOfOneRegion) {
  const auto recorded = Record(Known("flat"));
  ASSERT_TRUE(recorded);
  ExpectShares(*recorded);
  for (const char* function : {"work_a", "work_b", "work_c"}) ExpectUnderMain(*recorded, function);
}

TEST(Accuracy, SelfTimeIsTheFunctionsOwn) {
  const auto recorded = Record(Known("flat"));
  ASSERT_TRUE(recorded);
  const Profile& profile = recorded->profile;
  // work_a calls nothing, and main only waits for the functions that it calls.
  EXPECT_NEAR(profile.FunctionSelfNs("work_a"), profile.FunctionTotalNs("work_a"), 0.001 * profile.CpuNs());
  EXPECT_LT(profile.FunctionSelfNs("main"), 0.02 * profile.CpuNs());
  EXPECT_GT(profile.FunctionTotalNs("main"), 0.95 * profile.CpuNs());
}

TEST(Accuracy, RegionsAndTheirTeams) {
  const auto recorded = Record({"flat", {"300"}});
  ASSERT_TRUE(recorded);
  const nlohmann::json regions = recorded->profile.report().value("regions", nlohmann::json::array());
  ASSERT_EQ(regions.size(), 1u) << recorded->profile.report().dump(1);
  EXPECT_EQ(regions[0].value("function", "").rfind("flat_region", 0), 0u) << regions[0].dump();
  EXPECT_NE(regions[0].value("file", "").find("flat.cc"), std::string::npos) << regions[0].dump();
  EXPECT_EQ(regions[0].value("invocations", 0), 1);
  EXPECT_EQ(regions[0].value("team_size", 0.0), 2);
  EXPECT_EQ(recorded->profile.report().value("threads", nlohmann::json::array()).size(), 2u);
}

TEST(Accuracy, RecursionOfFortyAndFiveThousandCalls) {
  const auto recorded = Record(Known("recursion"));
  ASSERT_TRUE(recorded);
  ExpectShares(*recorded);
  ExpectUnderMain(*recorded, "work_shallow");
  ExpectUnderMain(*recorded, "work_deep");
  double exact = 0, all = 0;
  for (const Profile::Stack& stack : recorded->profile.stacks()) {
    if (stack.frames.back().function != "work_shallow") continue;
    int calls = 0;
    for (const Profile::Frame& frame : stack.frames) calls += frame.function == "descend_shallow";
    all += stack.ns;
    if (calls == 40) exact += stack.ns;
  }
  EXPECT_GE(exact, 0.999 * all) << "ns in stacks that have all 40 calls, of " << all;
}

// Even the smallest depth keeps main and the region at the root, and the function that works at the leaf. Only frames
// between them are cut.
TEST(Accuracy, CutRecursionKeepsRootAndLeaf) {
  Launch launch = Known("recursion");
  launch.record_options.push_back("--max-depth=16");
  const auto recorded = Record(launch);
  ASSERT_TRUE(recorded);
  ExpectShares(*recorded);
  ExpectUnderMain(*recorded, "work_shallow");
  ExpectUnderMain(*recorded, "work_deep");
  EXPECT_GT(recorded->profile.FunctionTotalNs("<frames cut>"), 0);
  EXPECT_EQ(recorded->profile.FunctionSelfNs("<frames cut>"), 0);
}

TEST(Accuracy, WorkersAreUnderTheCallSiteOfTheirRegion) {
  const auto recorded = Record(Known("call_sites"));
  ASSERT_TRUE(recorded);
  ExpectShares(*recorded);
  ExpectLines(*recorded);
  ExpectUnderMain(*recorded, "site_work");
  // Runs of a hundred milliseconds and more: each has samples.
  const nlohmann::json regions = recorded->profile.report().value("regions", nlohmann::json::array());
  ASSERT_EQ(regions.size(), 1u);
  std::map<std::string, double> runs;
  double elapsed = 0, end_wait = 0;
  for (const nlohmann::json& path : regions[0].at("paths")) {
    const nlohmann::json& callers = path.at("callers");
    ASSERT_EQ(callers.size(), 3u) << path.dump();
    runs[callers[1]] += path.value("runs", 0.0);
    elapsed += path.value("elapsed_ns", 0.0);
    end_wait += path.value("end_wait_ns", 0.0);
    EXPECT_EQ(path.value("team_size", 0.0), 2);
    const nlohmann::json& useful = path.at("useful_ns");
    EXPECT_LE(useful.value("min", 0.0), useful.value("mean", 0.0)) << path.dump();
    EXPECT_LE(useful.value("mean", 0.0), useful.value("max", 0.0)) << path.dump();
    EXPECT_LE(useful.value("max", 0.0), path.value("elapsed_ns", 0.0)) << path.dump();
  }
  EXPECT_EQ(runs, (std::map<std::string, double>{{"site_a", 2}, {"site_b", 2}, {"site_c", 2}, {"driver", 6}}));
  EXPECT_EQ(elapsed, regions[0].value("elapsed_ns", 0.0));
  EXPECT_EQ(end_wait, regions[0].value("end_wait_ns", 0.0));
}

TEST(Accuracy, NestedRegions) {
  Launch launch = Known("nested");
  launch.arguments = {std::to_string(2 * kKnownAnswerCpuMs)};  // making threads anew takes time of its own
  launch.environment["OMP_MAX_ACTIVE_LEVELS"] = "2";
  const auto recorded = Record(launch);
  ASSERT_TRUE(recorded);
  ExpectShares(*recorded);
  ExpectUnderMain(*recorded, "nested_work");
}

TEST(Accuracy, Tasks) {
  const auto recorded = Record(Known("tasks"));
  ASSERT_TRUE(recorded);
  ExpectShares(*recorded);
  ExpectUnderMain(*recorded, "task_work");
}

TEST(Accuracy, TasksWithTheirCreatorsWholePath) {
  Launch launch = Known("tasks");
  launch.environment["OMPPROF_TASK_CONTEXT"] = "full";
  const auto recorded = Record(launch);
  ASSERT_TRUE(recorded);
  const Profile& profile = recorded->profile;
  for (const auto& [path, ns] : recorded->truth.paths) {
    const double ns_seen = profile.PathNs({"main", "tasks_region", path[0], "task_work"});
    EXPECT_NEAR(100 * ns_seen / profile.StackTotal(), 100 * ns / recorded->truth.process, 3) << path[0];
  }
}

TEST(Accuracy, TeamsTargetsAndUnusualTasks) {
  const auto recorded = Record(Known("constructs"));
  ASSERT_TRUE(recorded);
  ExpectShares(*recorded);
  ExpectUnderMain(*recorded, "construct_work");
  // All work is in code of the program that the runtime calls.
  const double all = recorded->profile.CpuNs();
  EXPECT_LT(recorded->profile.FunctionSelfNs("<omp overhead>"), 0.005 * all);
  EXPECT_LT(
      recorded->profile.report()["states"].value("ompt_state_overhead", nlohmann::json::object()).value("cpu_ns", 0.0),
      0.005 * all);
  // Each kind of work is under its own construct.
  const struct {
    const char* function;
    std::vector<const char*> constructs;
  } cases[] = {
      {"in_teams", {" [omp teams constructs.cc:"}},
      {"in_nested_teams", {" [omp teams constructs.cc:", " [omp parallel constructs.cc:"}},
      {"in_distribute", {" [omp teams constructs.cc:", " [omp parallel constructs.cc:"}},
      {"in_target", {" [omp target constructs.cc:"}},
      {"in_target_teams",
       {" [omp target constructs.cc:", " [omp teams constructs.cc:", " [omp parallel constructs.cc:"}},
      {"in_dependent_tasks", {" [omp parallel constructs.cc:", " [omp task constructs.cc:"}},
  };
  for (const auto& known : cases) {
    SCOPED_TRACE(known.function);
    double seen = 0, as_known = 0;
    for (const Profile::Stack& stack : recorded->profile.stacks()) {
      std::vector<std::string> constructs;
      bool in_work = false;
      for (const Profile::Frame& frame : stack.frames) {
        in_work |= frame.function == "construct_work";
        if (frame.function.rfind(std::string(known.function) + " [omp ", 0) == 0) constructs.push_back(frame.function);
      }
      if (!in_work || constructs.empty()) continue;
      seen += stack.ns;
      bool same = constructs.size() == known.constructs.size();
      for (size_t i = 0; same && i < constructs.size(); ++i)
        same = constructs[i].rfind(std::string(known.function) + known.constructs[i], 0) == 0;
      if (same) as_known += stack.ns;
    }
    EXPECT_GT(seen, 0.05 * all);
    EXPECT_GE(as_known, 0.999 * seen);
  }
}

// A reduction's combiner is work. It is no waiting at the barrier from which the runtime calls it.
TEST(Accuracy, CodeThatTheRuntimeCallsBack) {
  Launch launch = Known("called_back");
  launch.environment["OMP_WAIT_POLICY"] = "passive";
  const auto recorded = Record(launch);
  ASSERT_TRUE(recorded);
  ExpectShares(*recorded);
  ExpectUnderMain(*recorded, "combine_work");
  ExpectUnderMain(*recorded, "assign_work");
  const Profile& profile = recorded->profile;
  // Of eight threads' parts the runtime combines seven. The program combines the result with its variable, outside the
  // runtime.
  const double combined = recorded->truth.paths.at({"main", "reduce", "combine_work"});
  const nlohmann::json state = profile.report()["states"].value("ompt_state_work_reduction", nlohmann::json::object());
  EXPECT_NEAR(100 * state.value("cpu_ns", 0.0) / profile.CpuNs(), 100 * combined * 7 / 8 / recorded->truth.process, 2);
  // Barriers have no more than what the program's three functions leave, and 1 point for chance.
  double known = 0;
  for (const auto& [path, ns] : recorded->truth.paths) known += ns;
  EXPECT_LT(profile.FunctionSelfNs("<omp barrier: implicit>") / profile.CpuNs(),
            1 - known / recorded->truth.process + 0.01);
  double under_reduction = 0;
  for (const Profile::Stack& stack : profile.stacks()) {
    for (const Profile::Frame& frame : stack.frames)
      under_reduction += frame.function.rfind("reduce [omp reduction called_back.cc:", 0) == 0 ? stack.ns : 0;
  }
  EXPECT_NEAR(under_reduction, state.value("cpu_ns", 0.0), 0.01 * profile.CpuNs());
}

TEST(Accuracy, StandardThreadsBesideOpenMp) {
  const auto recorded = Record(Known("std_threads"));
  ASSERT_TRUE(recorded);
  ExpectShares(*recorded);
  ExpectUnderMain(*recorded, "region_work");
  EXPECT_EQ(recorded->profile.report().value("threads", nlohmann::json::array()).size(), 4u);
}

// The object then does not tell which code is the runtime's.
TEST(Accuracy, ARuntimeThatIsLinkedIntoTheProgram) {
  const auto recorded = Record(Known("own_runtime"));
  ASSERT_TRUE(recorded);
  ExpectShares(*recorded);
  const double waited = recorded->truth.states.at("wait_barrier_explicit");
  EXPECT_NEAR(100 * recorded->profile.PathNs({"main", "solve", "<omp barrier: explicit>"}) / recorded->profile.CpuNs(),
              100 * waited / recorded->truth.process, 2);
  EXPECT_EQ(recorded->profile.FunctionTotalNs("runtime_work"), 0) << "in the user view";
}

TEST(Accuracy, OpenMpInALibraryThatComesAndGoes) {
  const auto recorded = Record(Known("dlopen_omp", {ProgramPath("libdlopen_omp.so")}));
  ASSERT_TRUE(recorded);
  // The library was unloaded before the profile was written. Its names must still be right.
  ExpectShares(*recorded);
  ExpectUnderMain(*recorded, "library_work");
  ExpectUnderMain(*recorded, "host_work");
}

TEST(Accuracy, ThroughTheCLibraryAndBack) {
  const auto recorded = Record(Known("qsort_worker"));
  ASSERT_TRUE(recorded);
  ExpectShares(*recorded);
  ExpectUnderMain(*recorded, "compare_work");
}

TEST(Accuracy, WhileExceptionsUnwindTheSameStacks) {
  const auto recorded = Record(Known("exceptions"));
  ASSERT_TRUE(recorded);
  ExpectShares(*recorded);
  ExpectUnderMain(*recorded, "throw_storm");
}

TEST(Accuracy, SerialAndParallelTime) {
  const auto recorded = Record(Known("serial_then_parallel"));
  ASSERT_TRUE(recorded);
  ExpectShares(*recorded);
  const nlohmann::json regions = recorded->profile.report().value("regions", nlohmann::json::array());
  double elapsed = 0;
  for (const nlohmann::json& region : regions) {
    if (region.value("function", "").rfind("parallel_part", 0) == 0) elapsed = region.value("elapsed_ns", 0.0);
  }
  // Callbacks count these times, not samples, so they are as exact as the program's clock. 2 percent allow for the time
  // between the two clocks.
  const double truth = recorded->truth.elapsed.at("parallel_part");
  EXPECT_NEAR(elapsed, truth, 0.02 * truth) << regions.dump(1);
}

// The pages between the segments of such a program belong to no object.
TEST(Accuracy, AProgramWithHolesBetweenItsSegments) {
  const auto recorded = Record(Known("call_sites_holes"));
  ASSERT_TRUE(recorded);
  ExpectShares(*recorded);
  ExpectUnderMain(*recorded, "site_work");
}

// The sample rate changes the precision, not the answer.
TEST(Accuracy, AtOtherFrequencies) {
  for (const int frequency : {0, 10000}) {  // 0: the default
    SCOPED_TRACE(frequency);
    Launch launch = Known("flat");
    launch.frequency = frequency;
    if (frequency == 0) launch.arguments = {"12000"};
    const auto recorded = Record(launch);
    ASSERT_TRUE(recorded);
    ExpectShares(*recorded, {frequency == 0 ? 5.0 : 2.0, 3, 0.2});
  }
}

TEST(Accuracy, WithEachUnwinder) {
  for (const char* unwinder : {"cfi", "libunwind"}) {
    SCOPED_TRACE(unwinder);
    Launch launch = Known("call_sites");
    launch.environment["OMPPROF_UNWIND"] = unwinder;
    const auto recorded = Record(launch);
    ASSERT_TRUE(recorded);
    ExpectShares(*recorded);
    ExpectUnderMain(*recorded, "site_work");
  }
}

}  // namespace
}  // namespace ompprof::testing
