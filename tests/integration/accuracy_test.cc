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
  arguments.push_back(std::to_string(KnownAnswerCpuMs()));
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
  ExpectClaims(*recorded, [](const Recorded& each, Claims* claims) {
    const Profile& profile = each.profile;
    const double all = profile.CpuNs();
    // work_a calls nothing, and main only waits for the functions that it calls.
    const double called = profile.FunctionTotalNs("work_a") - profile.FunctionSelfNs("work_a");
    claims->AtMost("percent of the CPU time that work_a calls", 100 * called / all, 0, 0.1);
    claims->AtMost("percent of the CPU time of main itself", 100 * profile.FunctionSelfNs("main") / all, 0, 2);
    claims->AtLeast("percent of the CPU time under main", 100 * profile.FunctionTotalNs("main") / all, 100, 5);
  });
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

// Exact, so that a single wrong call site among thousands is found.
TEST(Accuracy, NoCallSiteHasTheWorkOfAnother) {
  for (const char* program : {"short_sites", "short_sites_gcc"}) {
    const auto recorded = Record(Known(program));
    ASSERT_TRUE(recorded);
    for (const Profile::Stack& stack : recorded->profile.stacks()) {
      const std::string& leaf = stack.frames.back().function;
      if (leaf.rfind("work_of_", 0) != 0) continue;
      for (const Profile::Frame& frame : stack.frames)
        EXPECT_TRUE(frame.function.rfind("site_", 0) != 0 || frame.function.back() == leaf.back())
            << program << ": " << stack.ns << " ns of " << leaf << " below " << frame.function;
    }
  }
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
  launch.arguments = {std::to_string(2 * KnownAnswerCpuMs())};  // making threads anew takes time of its own
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
  ExpectClaims(*recorded, [](const Recorded& each, Claims* claims) {
    for (const auto& [path, ns] : each.truth.paths) {
      const double ns_seen = each.profile.PathNs({"main", "tasks_region", path[0], "task_work"});
      AddShare(each, "under " + path[0], ns_seen / each.profile.StackTotal(), ns / each.truth.process, 1.5, claims);
    }
  });
}

TEST(Accuracy, TeamsTargetsAndUnusualTasks) {
  const auto recorded = Record(Known("constructs"));
  ASSERT_TRUE(recorded);
  ExpectShares(*recorded);
  ExpectUnderMain(*recorded, "construct_work");
  // All work is in code of the program that the runtime calls.
  ExpectClaims(*recorded, [](const Recorded& each, Claims* claims) {
    const double all = each.profile.CpuNs();
    claims->AtMost("percent of the CPU time of the frame", 100 * each.profile.FunctionSelfNs("<omp overhead>") / all, 0,
                   0.5);
    claims->AtMost("percent of the CPU time in the state", 100 * each.profile.StateNs("ompt_state_overhead") / all, 0,
                   0.5);
  });
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
    EXPECT_GT(seen, 0) << "how much is claimed by ExpectShares";
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
  ExpectClaims(*recorded, [](const Recorded& each, Claims* claims) {
    const Profile& profile = each.profile;
    // Of eight threads' parts the runtime combines seven. The program combines the result with its variable, outside
    // the runtime.
    const double combined = each.truth.paths.at({"main", "reduce", "combine_work"});
    const nlohmann::json state =
        profile.report()["states"].value("ompt_state_work_reduction", nlohmann::json::object());
    AddShare(each, "in reductions", state.value("cpu_ns", 0.0) / profile.CpuNs(), combined * 7 / 8 / each.truth.process,
             1, claims);
    // Barriers have no more than what the program's three functions leave.
    double known = 0;
    for (const auto& [path, ns] : each.truth.paths) known += ns;
    claims->AtMost("percent of the CPU time at barriers",
                   100 * profile.FunctionSelfNs("<omp barrier: implicit>") / profile.CpuNs(),
                   100 - 100 * known / each.truth.process, 0.5);
    double under_reduction = 0;
    for (const Profile::Stack& stack : profile.stacks()) {
      for (const Profile::Frame& frame : stack.frames)
        under_reduction += frame.function.rfind("reduce [omp reduction called_back.cc:", 0) == 0 ? stack.ns : 0;
    }
    claims->Near("percent of the CPU time under the construct", 100 * under_reduction / profile.CpuNs(),
                 100 * state.value("cpu_ns", 0.0) / profile.CpuNs(), 1);
  });
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
  ExpectClaims(*recorded, [](const Recorded& each, Claims* claims) {
    AddShare(each, "at the barrier",
             each.profile.PathNs({"main", "solve", "<omp barrier: explicit>"}) / each.profile.CpuNs(),
             each.truth.states.at("wait_barrier_explicit") / each.truth.process, 1, claims);
  });
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

// A signal that comes in such a call is handled at its end: one sample stands for all of it.
TEST(Accuracy, LongSystemCalls) {
  const auto recorded = Record(Known("long_calls"));
  ASSERT_TRUE(recorded);
  Tolerance tolerance;
  tolerance.share = 2;  // beside other programs the calls have some 1.4 too much
  ExpectShares(*recorded, tolerance);
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
  ExpectClaims(*recorded, [](const Recorded& each, Claims* claims) {
    double elapsed = 0;
    for (const nlohmann::json& region : each.profile.report().value("regions", nlohmann::json::array())) {
      if (region.value("function", "").rfind("parallel_part", 0) == 0) elapsed = region.value("elapsed_ns", 0.0);
    }
    // Callbacks count these times, not samples, so they are as exact as the program's clock. A thread can lose its
    // processor between the two clocks.
    claims->Near("the region's elapsed time", elapsed / each.truth.elapsed.at("parallel_part"), 1, 0.02);
  });
}

// The samples of the program's last moments are written as it ends. CPU time without a sample counts as the last
// sample's, so only another function's work shows a loss. 2 ms have some 20 samples.
TEST(Accuracy, WorkJustBeforeTheEnd) {
  constexpr int kRecordings = 8;
  for (int recording = 0; recording < kRecordings; ++recording) {
    Launch launch{"scaling", {"60", "2", "0", "0", "0"}};
    launch.threads = 1;
    launch.frequency = 10000;
    const auto recorded = Record(launch);
    ASSERT_TRUE(recorded);
    EXPECT_GT(recorded->profile.FunctionSelfNs("shared_work"), 0);
  }
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
    ExpectShares(*recorded, {frequency == 0 ? 2.5 : 1.0});
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
