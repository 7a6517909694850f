// Four versions of libomp give the same answers with 1, 2, 4 and 16 threads, more threads than processors. Every
// known-answer program is as exact as in accuracy_test.
#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "tests/integration/expect.h"

namespace ompprof::testing {
namespace {

const KnownAnswer kKnown[] = {
    {"flat", {"work_a", "work_b", "work_c"}},
    {"call_sites", {"site_work"}, true},
    {"tasks", {"task_work"}},
    {"constructs", {"construct_work"}},
    {"recursion", {"work_shallow", "work_deep"}},
    {"nested", {"nested_work"}, false, false, 2},
    {"serial_then_parallel", {}, false, true},
    {"std_threads", {"region_work"}},
    {"dlopen_omp", {"library_work", "host_work"}},
    {"qsort_worker", {"compare_work"}},
    {"exceptions", {"throw_storm"}},
};

class Runtimes : public ::testing::TestWithParam<std::tuple<KnownAnswer, int, int>> {};

TEST_P(Runtimes, KnownAnswer) {
  const auto& [known, libomp, threads] = GetParam();
  if (RuntimeFolder(libomp).empty()) {
    GTEST_SKIP() << "libomp " << libomp << " is not under .deps/: scripts/setup could not download it.";
  }
  Launch launch;
  launch.libomp = libomp;
  launch.threads = threads;
  const auto recorded = ExpectKnownAnswer(known, "libdlopen_omp.so", launch);
  ASSERT_TRUE(recorded);
  EXPECT_NE(recorded->profile.report().value("runtime", ""), "");
}

INSTANTIATE_TEST_SUITE_P(All, Runtimes,
                         ::testing::Combine(::testing::ValuesIn(kKnown), ::testing::Values(14, 15, 16, 19),
                                            ::testing::Values(1, 2, 4, 16)),
                         [](const auto& info) {
                           return std::string(std::get<0>(info.param).program) + "_libomp" +
                                  std::to_string(std::get<1>(info.param)) + "_threads" +
                                  std::to_string(std::get<2>(info.param));
                         });

}  // namespace
}  // namespace ompprof::testing
