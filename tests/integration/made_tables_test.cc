// Objects without a sorted table of unwind entries (--no-eh-frame-hdr): their callers are found all the same.
#include <gtest/gtest.h>

#include <string>

#include "tests/integration/expect.h"

namespace ompprof::testing {
namespace {

class WithoutHeader : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Compilers, WithoutHeader,
                         ::testing::Values("recursion_without_header", "recursion_without_header_gcc"),
                         [](const auto& info) { return std::string(info.param); });

TEST_P(WithoutHeader, AProgramsPathsAreWhole) {
  const auto recorded = Record({GetParam(), {std::to_string(KnownAnswerCpuMs())}});
  ASSERT_TRUE(recorded);
  ExpectShares(*recorded);
  ExpectUnderMain(*recorded, "work_shallow");
  ExpectUnderMain(*recorded, "work_deep");
}

// The library's table comes with the next round after the first sample in the library.
TEST(LibraryWithoutHeader, ItsPathsAreWholeAfterTheNextRound) {
  Launch launch{"dlopen_omp", {ProgramPath("libdlopen_omp_without_header.so"), "2000"}};
  launch.environment["OMPPROF_FLUSH_INTERVAL"] = "0.02";
  const auto recorded = Record(launch);
  ASSERT_TRUE(recorded);
  ExpectClaims(*recorded, [](const Recorded& each, Claims* claims) {
    claims->AtMost("detached", each.profile.DetachedShare("library_work"), 0, 0.1);
  });
}

}  // namespace
}  // namespace ompprof::testing
