// Threads that block the profiler's signal. Nothing of the signal shows in them, and their waits go on. The profile
// samples exactly the time in which they do not block it.
#include <gtest/gtest.h>

#include <cstdio>
#include <map>
#include <tuple>

#include "tests/integration/harness.h"
#include "tests/integration/profile.h"
#include "tests/statistics/claims.h"

namespace ompprof::testing {
namespace {

std::string WithoutTruth(const std::string& out) {
  std::string rest;
  for (size_t at = 0; at < out.size();) {
    const size_t end = std::min(out.find('\n', at), out.size() - 1) + 1;
    if (out.compare(at, 6, "truth ") != 0) rest += out.substr(at, end - at);
    at = end;
  }
  return rest;
}

// The outcome of `masks MODE` without the profiler, in a tenth of the time: only the truth lines depend on that. Each
// mode runs once for all of its frequencies.
const Outcome& Plain(const std::string& mode) {
  static std::map<std::string, Outcome> of_modes;
  const auto found = of_modes.find(mode);
  if (found != of_modes.end()) return found->second;
  Launch launch{"masks", {mode, "10"}};
  launch.load = Load::kNone;
  return of_modes[mode] = RunProgram(launch);
}

// Runs `masks MODE` with the profiler as well, and expects an equal outcome.
Outcome ExpectTheSame(const std::string& mode, int frequency) {
  const Outcome& plain = Plain(mode);
  EXPECT_TRUE(plain.Exited(0)) << "without the profiler: " << plain.Describe();
  Launch launch{"masks", {mode}};
  launch.frequency = frequency;
  launch.environment["OMPPROF_FLUSH_INTERVAL"] = "0.2";
  launch.environment["OMPPROF_CHILDREN"] = "0";
  const Outcome profiled = RunProgram(launch);
  EXPECT_TRUE(profiled.Exited(0)) << profiled.Describe();
  EXPECT_EQ(WithoutTruth(profiled.out), WithoutTruth(plain.out));
  EXPECT_EQ(profiled.err, plain.err);
  EXPECT_EQ(profiled.profiles.size(), 1u);
  return profiled;
}

using Case = std::tuple<const char*, int>;
std::string NameOf(const ::testing::TestParamInfo<Case>& info) {
  return std::string(std::get<0>(info.param)) + "_" + std::to_string(std::get<1>(info.param));
}
constexpr int kDefault = 100;
constexpr int kHighest = 10000;

class Ways : public ::testing::TestWithParam<Case> {};

TEST_P(Ways, ToBlockTheSignalAreAllSeen) {
  Decide([](Claims* claims) {
    const Outcome outcome = ExpectTheSame(std::get<0>(GetParam()), std::get<1>(GetParam()));
    ASSERT_EQ(outcome.profiles.size(), 1u);
    const Profile profile(outcome.profiles[0]);
    ASSERT_EQ(profile.error(), "");
    // 220 ms unblocked, 280 blocked.
    claims->Near("ms of work", profile.FunctionTotalNs("free_work") * 1e-6, 220, 20);
    claims->AtMost("ms of work with the signal blocked", profile.FunctionTotalNs("blocked_work") * 1e-6, 0, 7);
  });
}

INSTANTIATE_TEST_SUITE_P(Masks, Ways,
                         ::testing::Combine(::testing::Values("thread", "setmask", "process", "bsd", "hold", "sigset",
                                                              "context", "swap", "jump"),
                                            ::testing::Values(kDefault, kHighest)),
                         NameOf);

class Waits : public ::testing::TestWithParam<Case> {};

TEST_P(Waits, GoOn) {
  const Outcome outcome = ExpectTheSame(std::get<0>(GetParam()), std::get<1>(GetParam()));
  EXPECT_NE(outcome.out.find("ended early 0\n"), std::string::npos) << outcome.out;
}

INSTANTIATE_TEST_SUITE_P(Masks, Waits,
                         ::testing::Combine(::testing::Values("wait_ppoll", "wait_pselect", "wait_epoll", "wait_epoll2",
                                                              "wait_sigsuspend", "wait_sigpause"),
                                            ::testing::Values(kDefault, kHighest)),
                         NameOf);

class Work : public ::testing::TestWithParam<Case> {};

TEST_P(Work, IsSampledWhereTheSignalIsNotBlocked) {
  const auto& [mode, frequency] = GetParam();
  Decide([&, mode = std::string(mode), frequency = frequency](Claims* claims) {
    const Outcome outcome = ExpectTheSame(mode, frequency);
    ASSERT_EQ(outcome.profiles.size(), 1u);
    const Profile profile(outcome.profiles[0]);
    ASSERT_EQ(profile.error(), "");
    const double work = Truth::Parse(outcome.out).functions.at("free_work");
    claims->Near("work", profile.FunctionTotalNs("free_work") / work, 1, 0.04);
    // At the end of a signal handler the kernel unblocks signals in silence. The collector finds out after a while.
    const double blocked = profile.FunctionTotalNs("blocked_work") / work;
    if (mode != "handler_work") {
      claims->AtMost("work with the signal blocked", blocked, 0, 0.015);
    } else {
      claims->AtLeast("work in a handler that blocks the signal", blocked, 0.5, 0.15);
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Masks, Work,
                         ::testing::Combine(::testing::Values("stretches_work", "attribute_work", "handler_work",
                                                              "vfork_work"),
                                            ::testing::Values(kDefault, kHighest)),
                         NameOf);

TEST(Masks, UnsampledThreadsAreReported) {
  Decide([](Claims* claims) {
    const Outcome outcome = RunProgram({"masks", {"stretches_work"}});
    ASSERT_EQ(outcome.profiles.size(), 1u);
    const Profile profile(outcome.profiles[0]);
    const std::string notes = profile.report().value("notes", nlohmann::json::array()).dump();
    double seconds = 0;
    const size_t at = notes.find("s of CPU time threads blocked the sampling signal");
    ASSERT_NE(at, std::string::npos) << notes;
    ASSERT_EQ(sscanf(notes.c_str() + notes.rfind("for ", at), "for %lf s", &seconds), 1) << notes;
    const double blocked = Truth::Parse(outcome.out).functions.at("blocked_work") * 1e-9;
    claims->Near("time with the signal blocked", seconds / blocked, 1, 0.02);
  });
}

// A change of the mask costs one system call more. A call that changes nothing for the sampling signal costs a branch.
TEST(Masks, AMillionChangesAreAffordable) {
  struct Cost {
    double changes = 0, none = 0;
  };
  const auto measure = [](Load load, int frequency) {
    Cost best;
    for (int i = 0; i < 3; ++i) {
      Launch launch{"masks", {"million"}};
      launch.load = load;
      launch.frequency = frequency;
      const Outcome outcome = RunProgram(launch);
      Cost cost;
      EXPECT_EQ(sscanf(outcome.out.c_str(), "cpu changes %lf ms, none %lf ms", &cost.changes, &cost.none), 2)
          << outcome.Describe();
      if (i == 0 || cost.changes < best.changes) best.changes = cost.changes;
      if (i == 0 || cost.none < best.none) best.none = cost.none;
    }
    return best;
  };
  const Cost plain = measure(Load::kNone, 0);
  for (const int frequency : {kDefault, kHighest}) {
    const Cost profiled = measure(Load::kRecord, frequency);
    printf("%d a second: changes %.0f ms (%.0f ms without), none %.0f ms (%.0f ms)\n", frequency, profiled.changes,
           plain.changes, profiled.none, plain.none);
    EXPECT_LT(profiled.changes, 8 * plain.changes);
    EXPECT_LT(profiled.none, 1.3 * plain.none);
  }
}

}  // namespace
}  // namespace ompprof::testing
