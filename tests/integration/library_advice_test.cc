// A library with threads of its own that a region calls is named, with its variable (tests/programs/nested_library.cc).
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/integration/expect.h"
#include "tests/integration/harness.h"
#include "tests/integration/profile.h"

namespace ompprof::testing {
namespace {

nlohmann::json LibraryAdvice(const Profile& profile) {
  for (const nlohmann::json& advice : profile.report().value("advice", nlohmann::json::array())) {
    if (advice.value("kind", "") == "nested-library") return advice;
  }
  return nullptr;
}

Launch OfMode(const std::string& program, const std::string& mode) {
  Launch launch{program, {mode, "1000"}};
  launch.frequency = 1000;
  return launch;
}

class NestedLibrary : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Programs, NestedLibrary, ::testing::Values("nested_library", "nested_library_gcc"),
                         [](const auto& info) { return std::string(info.param); });

TEST_P(NestedLibrary, NamesTheLibraryAndItsVariable) {
  Launch launch = OfMode(GetParam(), "region");
  const auto flawed = Record(launch);
  ASSERT_TRUE(flawed);
  const nlohmann::json advice = LibraryAdvice(flawed->profile);
  ASSERT_FALSE(advice.is_null()) << flawed->profile.report().value("advice", nlohmann::json::array()).dump(1);
  EXPECT_EQ(advice.value("where", "").rfind("in_region [omp parallel", 0), 0u) << advice.dump(1);
  EXPECT_EQ(advice.value("text", "").rfind("OpenBLAS ", 0), 0u) << advice.dump(1);
  EXPECT_NE(advice.value("text", "").find("OPENBLAS_NUM_THREADS=1"), std::string::npos) << advice.dump(1);

  launch.environment["OPENBLAS_NUM_THREADS"] = "1";
  const auto mended = Record(launch);
  ASSERT_TRUE(mended);
  EXPECT_TRUE(LibraryAdvice(mended->profile).is_null()) << LibraryAdvice(mended->profile).dump(1);
}

TEST_P(NestedLibrary, SaysNothingOfCallsOutsideOfRegions) {
  const auto recorded = Record(OfMode(GetParam(), "serial"));
  ASSERT_TRUE(recorded);
  EXPECT_TRUE(LibraryAdvice(recorded->profile).is_null()) << LibraryAdvice(recorded->profile).dump(1);
}

}  // namespace
}  // namespace ompprof::testing
