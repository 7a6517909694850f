// The CPU time of a waiting thread is shown as its kind of waiting, as much as the program measured. Idleness during
// serial time is not shown as a barrier. tests/programs/waits.cc measures the truth.
#include <gtest/gtest.h>

#include "tests/integration/expect.h"

namespace ompprof::testing {
namespace {

struct Kind {
  const char* mode;          // of tests/programs/waits.cc
  const char* pseudo_frame;  // in the user view
};

// A program and the runtime it is on.
struct Build {
  const char* name;
  const char* program;
  int libomp;  // 0: the system's
};

class Waits : public ::testing::TestWithParam<std::tuple<Build, Kind>> {};

Launch Spinning(const std::string& program, const std::vector<std::string>& arguments) {
  Launch launch{program, arguments};
  launch.environment["OMP_WAIT_POLICY"] = "active";
  launch.environment["KMP_BLOCKTIME"] = "infinite";
  launch.environment["GOMP_SPINCOUNT"] = "infinite";
  return launch;
}

double Under(const std::map<std::string, double>& frames, const std::string& name) {
  const auto found = frames.find(name);
  return found == frames.end() ? 0 : found->second;
}

// A wait has one name where it was sampled and where it was measured, whatever the runtime calls it meanwhile.
void AddOneNameEach(const Profile& profile, Claims* claims) {
  double most = 0;
  for (const auto& [state, times] : profile.report().at("states").items()) {
    if (state.rfind("ompt_state_wait_", 0) != 0 || times.value("wait_ns", 0.0) > 0) continue;
    most = std::max(most, times.value("samples", 0.0));
  }
  claims->AtMost("percent of the samples in a state of no measured wait", 100 * most / profile.Samples(), 0, 0.5);
}

// `ns`: CPU time that belongs under `frame`.
void AddFrame(const Recorded& recorded, const std::string& frame, double ns, Claims* claims) {
  const Profile& profile = recorded.profile;
  AddShare(recorded, "under " + frame, Under(profile.FramesStartingWith("<omp "), frame) / profile.StackTotal(),
           ns / recorded.truth.process, 1.5, claims);
}

TEST_P(Waits, HaveTheirShare) {
  const auto& [build, kind] = GetParam();
  if (build.libomp != 0 && RuntimeFolder(build.libomp).empty()) {
    GTEST_SKIP() << "libomp " << build.libomp << " is not under .deps/: scripts/setup could not download it.";
  }
  Launch launch = Spinning(build.program, {kind.mode, ClaimsAreCoarse() ? "600" : "2200"});
  launch.libomp = build.libomp;
  const auto recorded = Record(launch);
  ASSERT_TRUE(recorded);
  ExpectClaims(*recorded, [kind = kind](const Recorded& each, Claims* claims) {
    const Profile& profile = each.profile;
    AddFrame(each, kind.pseudo_frame, each.truth.states.at(kind.mode), claims);
    AddShares(each, {}, claims);
    AddOneNameEach(profile, claims);
  });
}

const Kind kBarrier{"barrier", "<omp barrier: explicit>"}, kImplicit{"implicit", "<omp barrier: implicit>"},
    kLock{"lock", "<omp lock>"}, kCritical{"critical", "<omp critical>"}, kOrdered{"ordered", "<omp ordered>"},
    kTaskwait{"taskwait", "<omp taskwait>"}, kTaskgroup{"taskgroup", "<omp taskgroup>"};

std::string NameOf(const ::testing::TestParamInfo<Waits::ParamType>& info) {
  return std::string(std::get<1>(info.param).mode) + std::get<0>(info.param).name;
}

INSTANTIATE_TEST_SUITE_P(Kinds, Waits,
                         ::testing::Combine(::testing::Values(Build{"", "waits", 0}, Build{"_libomp19", "waits", 19}),
                                            ::testing::Values(kBarrier, kImplicit, kLock, kCritical, kOrdered,
                                                              kTaskwait, kTaskgroup)),
                         NameOf);

// gcc makes one call, with one name, of an explicit barrier and of the barrier at a statically scheduled loop's end.
INSTANTIATE_TEST_SUITE_P(Gomp, Waits,
                         ::testing::Combine(::testing::Values(Build{"_gcc", "waits_gcc", 0}),
                                            ::testing::Values(kBarrier, Kind{"implicit", "<omp barrier: explicit>"},
                                                              kLock, kCritical, kOrdered, kTaskwait, kTaskgroup)),
                         NameOf);

INSTANTIATE_TEST_SUITE_P(Fortran, Waits,
                         ::testing::Combine(::testing::Values(Build{"_fortran", "waits_fortran", 0}),
                                            ::testing::Values(kBarrier, kLock, kCritical, kOrdered, kTaskwait)),
                         NameOf);

class SerialTime : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Programs, SerialTime, ::testing::Values("serial_then_parallel", "serial_then_parallel_gcc"),
                         [](const auto& info) { return std::string(info.param); });

// The runtime reports a worker as waiting in the barrier of a region that has long ended.
TEST_P(SerialTime, IsIdlenessAndNotABarrier) {
  const auto recorded = Record(Spinning(GetParam(), {ClaimsAreCoarse() ? "600" : "1000"}));
  ASSERT_TRUE(recorded);
  ExpectClaims(*recorded, [](const Recorded& each, Claims* claims) {
    const Truth& truth = each.truth;
    // The other thread spins as long as the serial part lasts, and for some of that time at the region's end.
    const double barrier = truth.states.at("barrier");
    const double idle =
        truth.process - truth.functions.at("serial_work") - truth.functions.at("parallel_work") - barrier;
    AddFrame(each, "<omp idle>", idle, claims);
    AddFrame(each, "<omp barrier: implicit>", barrier, claims);
    AddOneNameEach(each.profile, claims);
  });
}

// With the passive policy a waiting thread sleeps: it has no samples, and the profile shows no CPU time for it.
TEST_P(SerialTime, SleepersTakeNoSamples) {
  Launch launch{GetParam(), {ClaimsAreCoarse() ? "500" : "1800"}};
  launch.environment["OMP_WAIT_POLICY"] = "passive";
  launch.environment["KMP_BLOCKTIME"] = "0";
  launch.environment["GOMP_SPINCOUNT"] = "0";
  const auto recorded = Record(launch);
  ASSERT_TRUE(recorded);
  ExpectShares(*recorded);
  ExpectClaims(*recorded, [](const Recorded& each, Claims* claims) {
    claims->AtMost("percent of the CPU time idle",
                   100 * each.profile.PathNs({"<omp idle>"}) / each.profile.StackTotal(), 0, 1);
  });
}

class Shrinking : public ::testing::TestWithParam<std::tuple<Build, const char*>> {};
INSTANTIATE_TEST_SUITE_P(
    Runtimes, Shrinking,
    ::testing::Combine(::testing::Values(Build{"libomp", "shrinking", 0}, Build{"libomp16", "shrinking", 16},
                                         Build{"libomp19", "shrinking", 19}),
                       ::testing::Values("smaller", "nested")),
    [](const auto& info) { return std::string(std::get<0>(info.param).name) + std::get<1>(info.param); });
// A worker is idle once the program's teams have no more use for it. It does not wait at the end of its last region. A
// runtime that does not wake the worker never tells so. The small regions' own waits say nothing of that: on a busy
// machine one of them lasts as long as its worker has no processor.
TEST_P(Shrinking, WorkersThatAreNotNeededAreIdle) {
  const auto& [build, mode] = GetParam();
  if (build.libomp != 0 && RuntimeFolder(build.libomp).empty()) {
    GTEST_SKIP() << "libomp " << build.libomp << " is not under .deps/: scripts/setup could not download it.";
  }
  Launch launch{build.program, {mode, "300"}};
  launch.libomp = build.libomp;
  launch.frequency = 50;  // the first regions shall have no sample
  const auto recorded = Record(launch);
  ASSERT_TRUE(recorded);
  const int idlers = std::string(mode) == "smaller" ? 2 : 1;
  ExpectClaims(*recorded, [idlers](const Recorded& each, Claims* claims) {
    const double idle = each.truth.elapsed.at("idle");
    double longest = 0;
    std::map<int, double> by_thread;
    for (const nlohmann::json& wait : each.profile.report()["waits"]) {
      const std::string state = wait.value("state", "");
      if (state == "ompt_state_idle") by_thread[wait.value("thread", 0)] += wait.value("wait_ns", 0.0);
      if (state != "ompt_state_wait_barrier_implicit_parallel") continue;
      if (wait.value("region", "").rfind("small_regions ", 0) == 0) continue;
      longest = std::max(longest, wait.value("max_ns", 0.0));
    }
    const auto throughout = std::count_if(by_thread.begin(), by_thread.end(),
                                          [idle](const auto& thread) { return thread.second > 0.9 * idle; });
    claims->Mostly("no worker waits long at its last region's end", longest < 0.5 * idle);
    claims->Mostly("the workers that are not needed are idle throughout", throughout >= idlers);
  });
}

class Helpers : public ::testing::TestWithParam<std::tuple<int, Load>> {};
INSTANTIATE_TEST_SUITE_P(Recorded, Helpers,
                         ::testing::Combine(::testing::Values(14, 15, 16, 19), ::testing::Values(Load::kRecord)));
INSTANTIATE_TEST_SUITE_P(ByTheRuntime, Helpers,
                         ::testing::Combine(::testing::Values(14, 19), ::testing::Values(Load::kToolLibraries)));

void AddHelpers(const Recorded& recorded, Claims* claims) {
  const nlohmann::json& report = recorded.profile.report();
  const nlohmann::json& efficiency = report["efficiency"];
  EXPECT_EQ(efficiency.value("threads", 0), 2) << efficiency.dump(1);
  const double serial = recorded.truth.elapsed.at("serial");
  claims->AtLeast("serial time", efficiency.value("serial_ns", 0.0) / serial, 1, 0.01);
  const double parallel = efficiency.value("parallel_ns", 0.0);
  claims->AtMost("parallel and serial time", (parallel + serial) / report.value("duration_ns", 0.0), 1, 0.04);
  int others = 0;
  for (const nlohmann::json& thread : report["threads"]) others += thread.value("kind", "") == "other" ? 1 : 0;
  EXPECT_GE(others, 7) << "of eight, the first of which no thread_begin tells of\n" << report["threads"].dump(1);
  EXPECT_EQ(report["regions"].size(), 1u) << report["regions"].dump(1);
  // The program's other worker is idle through the serial time, and no other thread waits then.
  double waited = 0;
  double longest = 0;
  for (const nlohmann::json& wait : report["waits"]) {
    const double ns = wait.value("wait_ns", 0.0);
    if (wait.value("state", "") == "ompt_state_idle")
      waited += ns;
    else
      longest = std::max(longest, ns);
  }
  claims->Near("idle through the serial time", waited / serial, 1, 0.07);
  claims->AtMost("the longest other wait", longest / parallel, 1, 0.04);
  // The serial work is to blame.
  claims->AtMost("waits with nobody to blame", report["unblamed_ns"].value("unsampled", 0.0) / serial, 0, 0.07);
  // A target task's work belongs to its thread, which is not idle then.
  // Through OMP_TOOL_LIBRARIES the profile lacks the program's start.
  Tolerance tolerance;
  if (recorded.launch.load == Load::kToolLibraries) tolerance.share = 2;
  AddShares(recorded, tolerance, claims);
}

// LLVM's hidden helper threads are in no region of the program. They are none of its threads that could be busy.
TEST_P(Helpers, AreNoThreadsOfTheProgram) {
  const auto& [libomp, load] = GetParam();
  if (RuntimeFolder(libomp).empty()) {
    GTEST_SKIP() << "libomp " << libomp << " is not under .deps/: scripts/setup could not download it.";
  }
  Launch launch{"helpers", {"1400"}};
  launch.libomp = libomp;
  launch.load = load;
  launch.environment["KMP_BLOCKTIME"] = "0";
  const auto recorded = Record(launch);
  ASSERT_TRUE(recorded);
  ExpectClaims(*recorded, AddHelpers);
}

}  // namespace
}  // namespace ompprof::testing
