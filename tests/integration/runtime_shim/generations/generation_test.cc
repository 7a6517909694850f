// The report says which generation of OMPT the program's runtime speaks. With an unknown generation, the tool registers
// nothing.
#include <gtest/gtest.h>

#include <fstream>

#include "tests/integration/expect.h"

namespace ompprof::testing {
namespace {

std::string Generation(const Launch& launch) {
  const auto recorded = Record(launch);
  return recorded ? recorded->profile.report().value("ompt_generation", "none") : "no profile";
}

Launch OnShim(const std::string& asked) {
  Launch launch{"flat_gcc", {"100"}};
  launch.environment["GOMP_OMPT_GENERATION"] = asked;
  return launch;
}

TEST(Generation, OfEachRuntime) {
  EXPECT_EQ(Generation({"flat", {"100"}}), "5.x") << "LLVM 14";
  EXPECT_EQ(Generation({"flat_gcc", {"100"}}), "5.x") << "the shim";
  EXPECT_EQ(Generation(OnShim("5")), "5.x");
  EXPECT_EQ(Generation(OnShim("tr6")), "tr6");
  EXPECT_EQ(Generation({"own_runtime", {"100"}}), "5.x");
}

TEST(Generation, IsInTheHeader) {
  const auto recorded = Record(OnShim("tr6"));
  ASSERT_TRUE(recorded);
  for (const char* command : {"report", "info"}) {
    const Outcome outcome = RunCommand({OmpprofPath(), command, recorded->outcome.profiles[0]});
    EXPECT_NE(outcome.out.find("(OMPT tr6 "), std::string::npos) << outcome.Describe();
  }
}

// The profile has machine stacks: the program's shares are right, and there are no regions.
TEST(Generation, ThatIsUnknownIsNotRegisteredWith) {
  const auto recorded = Record({"own_runtime", {"1000", "unknown"}});
  ASSERT_TRUE(recorded);
  const Profile& profile = recorded->profile;
  EXPECT_FALSE(profile.report().contains("ompt_generation")) << profile.report()["ompt_generation"];
  EXPECT_EQ(profile.report().value("regions", nlohmann::json::array()).size(), 0u);
  EXPECT_NE(profile.report()["notes"].dump().find("unknown generation of OMPT"), std::string::npos)
      << profile.report()["notes"].dump(1);
  for (const auto& [path, ns] : recorded->truth.paths)
    EXPECT_NEAR(100 * profile.PathNs(path) / profile.StackTotal(), 100 * ns / recorded->truth.process, 2) << path[1];
}

// LLVM 3.9 to 5 look for ompt_tool.
TEST(Generation, BeforeStartToolIsToldAbout) {
  const std::string folder = NewFolder();
  const std::string source = folder + "/runtime.c", library = folder + "/libomp.so.5";
  std::ofstream(source) << "__attribute__((weak)) void* ompt_tool(void) { return 0; }\n";
  const Outcome built = RunCommand({"gcc", "-shared", "-fPIC", source, "-o", library});
  ASSERT_TRUE(built.Exited(0)) << built.Describe();
  Launch launch{"fixed_work", {"100000"}};
  launch.preload_also = library;
  const auto recorded = Record(launch);
  ASSERT_TRUE(recorded);
  const nlohmann::json& report = recorded->profile.report();
  EXPECT_FALSE(report.contains("ompt_generation"));
  EXPECT_NE(report["notes"].dump().find("a generation before ompt_start_tool"), std::string::npos)
      << report["notes"].dump(1);
}

TEST(Generation, ThatTheShimDoesNotKnowIsToldAbout) {
  const Outcome outcome = RunProgram(OnShim("tr7"));
  ASSERT_TRUE(outcome.Exited(0)) << outcome.Describe();
  EXPECT_NE(outcome.err.find("libgomp_ompt: GOMP_OMPT_GENERATION is \"tr7\""), std::string::npos) << outcome.err;
  ASSERT_EQ(outcome.profiles.size(), 1u);
  EXPECT_EQ(Profile(outcome.profiles[0]).report().value("ompt_generation", ""), "5.x");
}

}  // namespace
}  // namespace ompprof::testing
