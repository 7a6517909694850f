// What a thread burns while it waits is shown as that kind of waiting, as much as the program measured, and idleness
// through serial time is not shown as a barrier.
#include <gtest/gtest.h>

#include "tests/integration/expect.h"

namespace ompprof::testing {
namespace {

struct Kind {
  const char* mode;          // of tests/programs/waits.cc
  const char* pseudo_frame;  // in the user view
};

class Waits : public ::testing::TestWithParam<std::tuple<int, Kind>> {};

Launch Spinning(const std::string& program, const std::vector<std::string>& arguments) {
  Launch launch{program, arguments};
  launch.environment["OMP_WAIT_POLICY"] = "active";
  launch.environment["KMP_BLOCKTIME"] = "infinite";
  return launch;
}

double Under(const std::map<std::string, double>& frames, const std::string& name) {
  const auto found = frames.find(name);
  return found == frames.end() ? 0 : found->second;
}

TEST_P(Waits, HaveTheirShare) {
  const auto [libomp, kind] = GetParam();
  if (libomp != 0 && RuntimeFolder(libomp).empty()) {
    GTEST_SKIP() << "libomp " << libomp << " is not under .deps/: scripts/setup could not download it.";
  }
  Launch launch = Spinning("waits", {kind.mode, "3000"});
  launch.libomp = libomp;
  const auto recorded = Record(launch);
  ASSERT_TRUE(recorded);
  const Profile& profile = recorded->profile;
  const std::map<std::string, double> frames = profile.FramesStartingWith("<omp ");
  std::string seen;
  for (const auto& [frame, count] : frames)
    seen += frame + " " + std::to_string(100 * count / profile.StackTotal()) + "\n";
  EXPECT_NEAR(100 * Under(frames, kind.pseudo_frame) / profile.StackTotal(),
              100 * recorded->truth.states.at(kind.mode) / recorded->truth.process, 3)
      << "percent of the CPU time under " << kind.pseudo_frame << "; there are\n"
      << seen;
  ExpectShares(*recorded);
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, Waits,
    ::testing::Combine(::testing::Values(0, 19),
                       ::testing::Values(Kind{"barrier", "<omp barrier: explicit>"},
                                         Kind{"implicit", "<omp barrier: implicit>"}, Kind{"lock", "<omp lock>"},
                                         Kind{"critical", "<omp critical>"}, Kind{"ordered", "<omp ordered>"},
                                         Kind{"taskwait", "<omp taskwait>"}, Kind{"taskgroup", "<omp taskgroup>"})),
    [](const auto& info) {
      const int libomp = std::get<0>(info.param);
      return std::string(std::get<1>(info.param).mode) + (libomp == 0 ? "" : "_libomp" + std::to_string(libomp));
    });

// The runtime reports a worker as waiting in the barrier of a region that is long over.
TEST(Waits, SerialTimeIsIdlenessAndNotABarrier) {
  const auto recorded = Record(Spinning("serial_then_parallel", {"3000"}));
  ASSERT_TRUE(recorded);
  const Profile& profile = recorded->profile;
  const Truth& truth = recorded->truth;
  // The other thread spins as long as the serial part lasts.
  const double idle = truth.process - truth.functions.at("serial_work") - truth.functions.at("parallel_work");
  const auto frames = profile.FramesStartingWith("<omp ");
  EXPECT_NEAR(100 * Under(frames, "<omp idle>") / profile.StackTotal(), 100 * idle / truth.process, 3);
  EXPECT_LT(100 * Under(frames, "<omp barrier: implicit>") / profile.StackTotal(), 2);
}

// With the passive policy a waiting thread sleeps: no samples, and no CPU time in the profile that was not there.
TEST(Waits, SleepersTakeNoSamples) {
  Launch launch{"serial_then_parallel", {"3000"}};
  launch.environment["OMP_WAIT_POLICY"] = "passive";
  launch.environment["KMP_BLOCKTIME"] = "0";
  const auto recorded = Record(launch);
  ASSERT_TRUE(recorded);
  ExpectShares(*recorded);
  EXPECT_LT(100 * recorded->profile.PathNs({"<omp idle>"}) / recorded->profile.StackTotal(), 2);
}

}  // namespace
}  // namespace ompprof::testing
