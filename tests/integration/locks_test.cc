// Locks have their program's names, on any runtime. Their waiting matches the program's own measurement, and the
// function that held them is blamed.
#include <gtest/gtest.h>

#include "tests/integration/expect.h"

namespace ompprof::testing {
namespace {

struct Known {
  const char* truth;  // of tests/programs/locks.cc
  const char* name;   // the lock's name begins so
  const char* kind;
  const char* holder;
  const char* waiter;
  int waits;
  bool variable;  // the program's function
};

const Known kLocks[] = {
    {"global_lock", "global_lock", "lock", "hold_global", "want_global", 5, true},
    {"table.locks[1]", "table.locks[1]", "lock", "hold_second", "want_second", 5, true},
    {"table.locks[3]", "table.locks[3]", "lock", "hold_last", "want_last", 5, true},
    {"nest_lock", "nest_lock", "nest_lock", "hold_nested", "want_nested", 5, true},
    {"spread_lock", "spread_lock", "lock", "hold_spread", "want_spread", 20, true},
    {"hot", "critical hot", "critical", "hold_hot", "want_hot", 5, false},
    {"unnamed", "critical (unnamed)", "critical", "hold_unnamed", "want_unnamed", 5, false},
    {"make_account", "lock made at make_account locks.cc:", "lock", "hold_account", "want_account", 5, false},
    {"remake_account", "lock made at remake_account locks.cc:", "lock", "hold_remade", "want_remade", 5, false},
    {"left", "critical left", "critical", "both_criticals", "both_criticals", 10, false},
    {"right", "critical right", "critical", "both_criticals", "both_criticals", 10, false},
};

double Number(const nlohmann::json& object, const char* member) {
  const auto found = object.find(member);
  return found != object.end() && found->is_number() ? found->get<double>() : 0;
}

// The lock whose name begins with `name`; null unless there is exactly one.
nlohmann::json Find(const nlohmann::json& locks, const std::string& name) {
  nlohmann::json found;
  for (const nlohmann::json& lock : locks) {
    if (lock.value("name", "").rfind(name, 0) != 0) continue;
    if (!found.is_null()) return nullptr;
    found = lock;
  }
  return found;
}

// A program and the runtime it is on.
struct Build {
  const char* name;
  const char* program;
  int libomp;  // 0: the system's
};

class LockNames : public ::testing::TestWithParam<Build> {};
INSTANTIATE_TEST_SUITE_P(Runtimes, LockNames,
                         ::testing::Values(Build{"libomp", "locks", 0}, Build{"libomp15", "locks", 15},
                                           Build{"libomp16", "locks", 16}, Build{"libomp19", "locks", 19},
                                           Build{"libgomp", "locks_gcc", 0}),
                         [](const auto& info) { return std::string(info.param.name); });

TEST_P(LockNames, WaitsAndBlame) {
  const Build& build = GetParam();
  if (build.libomp != 0 && RuntimeFolder(build.libomp).empty()) {
    GTEST_SKIP() << "libomp " << build.libomp << " is not under .deps/: scripts/setup could not download it.";
  }
  Launch launch{build.program, {ClaimsAreCoarse() ? "150" : "300"}};
  launch.libomp = build.libomp;
  const auto recorded = Record(launch);
  ASSERT_TRUE(recorded);
  ExpectClaims(*recorded, [&](const Recorded& each, Claims* claims) {
    const nlohmann::json locks = each.profile.report().value("locks", nlohmann::json::array());
    for (const Known& known : kLocks) {
      SCOPED_TRACE(known.name);
      const nlohmann::json lock = Find(locks, known.name);
      ASSERT_TRUE(lock.is_object()) << "not once among\n" << locks.dump(1);
      EXPECT_EQ(lock.value("kind", ""), known.kind);
      const double truth = each.truth.elapsed.at(known.truth);
      const double wait = Number(lock, "wait_ns");
      claims->Near(std::string("waits for ") + known.name, wait / truth, 1, 0.02);
      // A thread that lost its processor on the way to the lock may have come too late to wait.
      EXPECT_LE(Number(lock, "count"), known.waits);
      EXPECT_GE(Number(lock, "count"), each.truth.counts.at(known.truth));
      EXPECT_LE(Number(lock, "max_ns"), wait);
      EXPECT_GE(Number(lock, "max_ns"), wait / known.waits);
      // Within the error of the lengths' buckets, and the difference of the two clocks.
      if (Number(lock, "count") == known.waits) {
        claims->Near(std::string("long waits for ") + known.name,
                     Number(lock, "p95_ns") / each.truth.elapsed.at(std::string(known.truth) + "/p95"), 1, 0.1);
      }
      ASSERT_FALSE(lock["blamed"].empty());
      EXPECT_TRUE(FrameIs(lock["blamed"][0].value("function", ""), known.holder)) << lock.dump(1);
      // The waiting thread took the rest of the time to wake up.
      const double held = each.truth.elapsed.at(std::string(known.truth) + "/held");
      claims->Near(std::string("blame of the holder of ") + known.name, Number(lock["blamed"][0], "ns") / held, 1,
                   0.02);
      ASSERT_FALSE(lock["waiting"].empty());
      EXPECT_TRUE(FrameIs(lock["waiting"][0].value("function", ""), known.waiter)) << lock.dump(1);
      EXPECT_NE(lock["waiting"][0].value("file", "").find("locks.cc"), std::string::npos) << lock.dump(1);
      const std::string module = lock.value("module", "");
      EXPECT_EQ(module.substr(module.rfind('/') + 1), known.variable ? build.program : "");
    }
    // All other waits are too short to matter.
    double rest = 0;
    for (size_t i = std::size(kLocks); i < locks.size(); ++i) rest += Number(locks[i], "wait_ns");
    claims->AtMost("ns of waits for other locks", rest, 0, 1e6);
    const nlohmann::json made = Find(locks, "lock made at make_account")["made"];
    EXPECT_EQ(made.value("path", nlohmann::json::array()), (nlohmann::json{"main", "make_account"})) << made.dump(1);
  });
}

class ManyLocks : public ::testing::TestWithParam<Build> {};
INSTANTIATE_TEST_SUITE_P(Runtimes, ManyLocks,
                         ::testing::Values(Build{"libomp", "many_locks", 0}, Build{"libomp19", "many_locks", 19},
                                           Build{"libgomp", "many_locks_gcc", 0}),
                         [](const auto& info) { return std::string(info.param.name); });

// No wait is left out, however many locks there are. The report says which locks are not told apart.
TEST_P(ManyLocks, WaitsAreAllThere) {
  const Build& build = GetParam();
  if (build.libomp != 0 && RuntimeFolder(build.libomp).empty()) {
    GTEST_SKIP() << "libomp " << build.libomp << " is not under .deps/: scripts/setup could not download it.";
  }
  Launch launch{build.program, {"150"}};
  launch.libomp = build.libomp;
  launch.environment["OMPPROF_MAX_OVERHEAD"] = "0";  // so many acquisitions are estimated otherwise
  const auto recorded = Record(launch);
  ASSERT_TRUE(recorded);
  ExpectClaims(*recorded, [&](const Recorded& each, Claims* claims) {
    const nlohmann::json& report = each.profile.report();
    const nlohmann::json locks = report.value("locks", nlohmann::json::array());
    const auto& truth = each.truth.elapsed;
    const nlohmann::json last = Find(locks, "locks[39999]");
    ASSERT_TRUE(last.is_object()) << "the last lock is not there";
    claims->Near("waits for the last lock", Number(last, "wait_ns") / truth.at("last"), 1, 0.02);
    ASSERT_FALSE(last["blamed"].empty());
    EXPECT_TRUE(FrameIs(last["blamed"][0].value("function", ""), "hold")) << last.dump(1);

    double waited = 0;
    double blamed = 0;
    for (const nlohmann::json& lock : locks) {
      waited += Number(lock, "wait_ns");
      for (const nlohmann::json& place : lock["blamed"]) blamed += Number(place, "ns");
    }
    claims->Near("waits for all locks", waited / (truth.at("last") + truth.at("many")), 1, 0.05);
    // The waiting threads took the rest of the time to wake up.
    claims->Near("blame, of all waits", (blamed + Number(report["unblamed_ns"], "lock_handoff")) / waited, 1, 0.02);
    const nlohmann::json others = Find(locks, "other locks");
    ASSERT_TRUE(others.is_object());
    EXPECT_GT(Number(others, "count"), 1000);

    double barrier = 0;
    for (const nlohmann::json& wait : report["waits"]) {
      if (wait.value("state", "") == "ompt_state_wait_barrier_explicit")
        barrier = std::max(barrier, Number(wait, "max_ns"));
    }
    claims->Near("the wait at the barrier", barrier / truth.at("barrier"), 1, 0.05);
    EXPECT_NE(report["notes"].dump().find("(other locks)"), std::string::npos) << report["notes"].dump(1);
  });
}

TEST(LockReport, NamesWhatAReaderKnows) {
  const auto recorded = Record({"locks", {"100"}});
  ASSERT_TRUE(recorded);
  const Outcome report = RunCommand({OmpprofPath(), "report", "--locks", recorded->outcome.profiles[0]});
  ASSERT_TRUE(report.Exited(0)) << report.Describe();
  for (const char* text : {"table.locks[3]  (locks)", "critical hot", "critical (unnamed)", "lock made at make_account",
                           "held by hold_nested", "waited for in want_global", "made in main > remake_account"}) {
    EXPECT_NE(report.out.find(text), std::string::npos) << text << " is not in\n" << report.out;
  }
}

// In a report of several processes, variables or criticals of one name are one lock; locks on the heap are not.
TEST(LockReport, OfSeveralProcesses) {
  Decide([](Claims* claims) {
    const auto first = Record({"locks", {"60"}});
    const auto second = Record({"locks", {"60"}});
    ASSERT_TRUE(first);
    ASSERT_TRUE(second);
    const Outcome report = RunCommand({OmpprofPath(), "report", "--all-runs", "--format=json",
                                       first->outcome.profiles[0], second->outcome.profiles[0]});
    ASSERT_TRUE(report.Exited(0)) << report.Describe();
    const nlohmann::json locks =
        nlohmann::json::parse(report.out, nullptr, false).value("locks", nlohmann::json::array());
    for (const Known& known : kLocks) {
      SCOPED_TRACE(known.name);
      const nlohmann::json lock = Find(locks, known.name);
      if (std::string(known.name).rfind("lock made", 0) == 0) {
        EXPECT_TRUE(lock.is_null()) << "there are two";
        continue;
      }
      ASSERT_TRUE(lock.is_object()) << locks.dump(1);
      EXPECT_LE(Number(lock, "count"), 2 * known.waits);
      EXPECT_GE(Number(lock, "count"), first->truth.counts.at(known.truth) + second->truth.counts.at(known.truth));
      const double truth = first->truth.elapsed.at(known.truth) + second->truth.elapsed.at(known.truth);
      claims->Near(known.name, Number(lock, "wait_ns") / truth, 1, 0.05);
    }
  });
}

}  // namespace
}  // namespace ompprof::testing
