// The same answers with four versions of libomp, and with 1, 2, 4 and 16 threads, more of them than processors. Shorter
// runs, so a wider tolerance: 1.5 s are 1500 samples, spread over up to 16 threads.
#include <gtest/gtest.h>

#include <tuple>

#include "tests/integration/expect.h"

namespace ompprof::testing {
namespace {

constexpr Tolerance kShort = {4, 4, 0.2};

class Runtimes : public ::testing::TestWithParam<std::tuple<int, int>> {
 protected:
  void SetUp() override {
    if (RuntimeFolder(Libomp()).empty()) {
      GTEST_SKIP() << "libomp " << Libomp() << " is not under .deps/: scripts/setup could not download it.";
    }
  }

  static int Libomp() { return std::get<0>(GetParam()); }

  static Launch With(const std::string& program, const std::vector<std::string>& arguments) {
    Launch launch{program, arguments};
    launch.libomp = Libomp();
    launch.threads = std::get<1>(GetParam());
    return launch;
  }
};

TEST_P(Runtimes, Flat) {
  const auto recorded = Record(With("flat", {"1500", "1"}));
  ASSERT_TRUE(recorded);
  ExpectShares(*recorded, kShort);
  for (const char* function : {"work_a", "work_b", "work_c"}) ExpectUnderMain(*recorded, function, kShort);
  EXPECT_NE(recorded->profile.report().value("runtime", ""), "");
}

TEST_P(Runtimes, CallSites) {
  const auto recorded = Record(With("call_sites", {"1500"}));
  ASSERT_TRUE(recorded);
  ExpectShares(*recorded, kShort);
  ExpectLines(*recorded, kShort);
  ExpectUnderMain(*recorded, "site_work", kShort);
}

TEST_P(Runtimes, Tasks) {
  const auto recorded = Record(With("tasks", {"1500"}));
  ASSERT_TRUE(recorded);
  ExpectShares(*recorded, kShort);
  ExpectUnderMain(*recorded, "task_work", kShort);
}

INSTANTIATE_TEST_SUITE_P(VersionsAndThreads, Runtimes,
                         ::testing::Combine(::testing::Values(14, 15, 16, 19), ::testing::Values(1, 2, 4, 16)),
                         [](const auto& info) {
                           return "Libomp" + std::to_string(std::get<0>(info.param)) + "Threads" +
                                  std::to_string(std::get<1>(info.param));
                         });

}  // namespace
}  // namespace ompprof::testing
