// Threads that began without the profiler's knowledge. They are sampled if they take signals, no system call of theirs
// is interrupted, and what is missing is said.
#include <gtest/gtest.h>

#include <string>

#include "tests/integration/expect.h"

namespace ompprof::testing {
namespace {

std::string Notes(const Profile& profile) { return profile.report().at("notes").dump(1); }

TEST(UnseenThreads, OfADeepboundLibraryAreSampled) {
  Launch launch{"unseen_threads", {"deepbind", ProgramPath("libunseen_threads.so")}};
  launch.frequency = 1000;  // above the kernel's tick
  const auto recorded = Record(launch);
  ASSERT_TRUE(recorded);
  EXPECT_NE(recorded->outcome.out.find("0 interrupted\n0 interrupted\n"), std::string::npos) << recorded->outcome.out;
  const Profile& profile = recorded->profile;
  EXPECT_EQ(profile.report().at("threads").size(), 3u);
  // Some hundredths of a second pass before a thread is seen.
  ExpectClaims(*recorded, [](const Recorded& each, Claims* claims) {
    claims->AtLeast("CPU time that is seen", each.profile.CpuNs() / each.truth.process, 1, 0.1);
    const double seen = each.profile.FunctionSelfNs("deep_work") / each.truth.functions.at("deep_work");
    claims->AtLeast("the work that is seen", seen, 1, 0.1);
    claims->AtMost("the work that is seen", seen, 1, 0.05);
  });
}

// What has come since the last round is lost: a tenth of an interval, and a round. A whole interval would be more than
// all of the work.
TEST(UnseenThreads, AProgramThatEndsWithoutLibcLosesLittle) {
  Launch launch{"unseen_threads", {"leave", ProgramPath("libunseen_threads.so")}};
  launch.record_options = {"--flush-interval=4"};
  const Outcome outcome = RunProgram(launch);
  ASSERT_TRUE(outcome.Exited(0)) << outcome.Describe();
  ASSERT_EQ(outcome.profiles.size(), 1u) << outcome.Describe();
  const Profile profile(outcome.profiles[0]);
  ASSERT_EQ(profile.error(), "");
  EXPECT_FALSE(profile.Complete());
  EXPECT_GT(profile.FunctionSelfNs("last_work"), 0.4 * Truth::Parse(outcome.out).functions.at("last_work"));
}

TEST(UnseenThreads, ThatTakeNoSignalsAreNamed) {
  const auto recorded = Record({"unseen_threads", {"timer"}});
  ASSERT_TRUE(recorded);
  const std::string notes = Notes(recorded->profile);
  EXPECT_NE(notes.find(") is in no sample"), std::string::npos) << notes;
  EXPECT_NE(notes.find("threads blocked the sampling signal"), std::string::npos) << notes;
}

TEST(UnseenThreads, OfABareCloneRunAsAlone) {
  const auto recorded = Record({"unseen_threads", {"clone"}});
  ASSERT_TRUE(recorded);
  EXPECT_NE(recorded->outcome.out.find("done\n"), std::string::npos);
  EXPECT_NE(Notes(recorded->profile).find("is in no sample"), std::string::npos) << Notes(recorded->profile);
}

}  // namespace
}  // namespace ompprof::testing
