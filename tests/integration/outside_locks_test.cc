// Waits for locks that OpenMP does not know: a mutex, the C library's lock in rand(), a condition variable. A thread
// sleeps for most of such a wait, so CPU time does not show it.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/integration/expect.h"

namespace ompprof::testing {
namespace {

Launch Program(const std::string& program, const std::string& mode, const char* which, int scale = 1000) {
  Launch launch{program, {mode, which, std::to_string(scale)}};
  launch.frequency = 1000;
  return launch;
}

// The waits for this at lines of the program, by the report.
struct Waits {
  double ns = 0;
  double deviation_ns = 0;
  std::string at;
};
Waits WaitsFor(const Profile& profile, const std::string& what) {
  Waits waits;
  for (const nlohmann::json& wait : profile.report().at("outside_waits")) {
    if (wait.value("for", "") != what) continue;
    waits.ns += wait.value("wait_ns", 0.0);
    waits.deviation_ns += wait.value("ci95", 0.0) / 1.96;
    waits.at = wait.value("at", "");
  }
  return waits;
}

// The place of the advice on a lock outside of OpenMP; empty if there is none.
nlohmann::json LockAdvice(const Profile& profile) {
  for (const nlohmann::json& advice : profile.report().value("advice", nlohmann::json::array())) {
    if (advice.value("kind", "") == "outside-lock") return advice;
  }
  return nullptr;
}

class OutsideWaits : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Programs, OutsideWaits, ::testing::Values("outside_locks", "outside_locks_gcc"),
                         [](const auto& info) { return std::string(info.param); });

struct Known {
  const char* mode;
  const char* what;
};

// The waits are as long as the program says, and are part of the threads' lives.
TEST_P(OutsideWaits, AreAsLongAsTheProgramWaits) {
  for (const Known& known : {Known{"mutex", "pthread mutex"}, Known{"turns", "condition variable"}}) {
    const auto first = Record(Program(GetParam(), known.mode, "flawed"));
    ASSERT_TRUE(first);
    ExpectClaims(*first, [&](const Recorded& recorded, Claims* claims) {
      const Waits waits = WaitsFor(recorded.profile, known.what);
      const double truth = recorded.truth.elapsed.at("waited");
      claims->Near(std::string("waits for the ") + known.what, waits.ns / truth, 1, 0.12, waits.deviation_ns / truth);
      EXPECT_EQ(waits.at.rfind("outside_locks.cc:", 0), 0u) << waits.at;
      const nlohmann::json efficiency = recorded.profile.report().at("efficiency");
      double lived = 0;
      for (const char* part :
           {"useful_ns", "mpi_ns", "ready_ns", "blocked_ns", "ompprof_ns", "wait_ns", "idle_ns", "library_wait_ns"})
        lived += efficiency.value(part, 0.0);
      claims->Near("threads that lived", lived / efficiency.value("duration_ns", 0.0), 2, 0.02);
      EXPECT_LE(efficiency.value("library_wait_ns", 0.0), waits.ns * 1.001);
    });
  }
}

// How long threads wait for each other in rand() depends on how often both have a processor.
TEST_P(OutsideWaits, TheCLibrarysLockHasItsRoutine) {
  Decide([&](Claims* claims) {
    const auto recorded = Record(Program(GetParam(), "rand", "flawed"));
    ASSERT_TRUE(recorded);
    const Waits waits = WaitsFor(recorded->profile, "libc lock in rand");
    claims->Mostly("waits in rand", waits.ns > 0 && waits.at.rfind("outside_locks.cc:", 0) == 0);
  });
}

TEST_P(OutsideWaits, GetTheAdviceThatFits) {
  Decide([&](Claims* claims) {
    const auto recorded = Record(Program(GetParam(), "mutex", "flawed"));
    ASSERT_TRUE(recorded);
    const nlohmann::json advice = LockAdvice(recorded->profile);
    const std::string where = advice.is_null() ? "" : advice.value("where", "");
    claims->Mostly("advice on the mutex", where.rfind("pthread mutex at outside_locks.cc:", 0) == 0);
  });
}

// A mutex that is held for a hundredth of the time, generators of the threads' own, and threads that work in turns.
TEST_P(OutsideWaits, LookAlikesGetNone) {
  for (const Known& known : {Known{"mutex", "mended"}, Known{"rand", "mended"}, Known{"turns", "flawed"}}) {
    Decide([&](Claims* claims) {
      const auto recorded = Record(Program(GetParam(), known.mode, known.what));
      ASSERT_TRUE(recorded);
      claims->Mostly(std::string("no advice for ") + known.mode, LockAdvice(recorded->profile).is_null());
    });
  }
}

class Followed : public OutsideWaits {};
INSTANTIATE_TEST_SUITE_P(Programs, Followed, ::testing::Values("outside_locks", "outside_locks_gcc"),
                         [](const auto& info) { return std::string(info.param); });

// The mended program is as fast as the advice says, within a tenth, at the median.
TEST_P(Followed, AdviceSavesWhatItSays) {
  Decide([&](Claims* claims) {
    const auto flawed = Record(Program(GetParam(), "mutex", "flawed"));
    const auto mended = Record(Program(GetParam(), "mutex", "mended"));
    ASSERT_TRUE(flawed && mended);
    const nlohmann::json advice = LockAdvice(flawed->profile);
    const double after = flawed->truth.elapsed.at("mutex") - (advice.is_null() ? 0 : advice.value("gain_ns", 0.0));
    claims->Near("the time that the advice predicts", after / mended->truth.elapsed.at("mutex"), 1, 0.1);
  });
}

}  // namespace
}  // namespace ompprof::testing
