// Programs by LLVM's Fortran compiler, on LLVM's runtime. The known answers are as exact as with clang (accuracy_test).
// Other tests are about this compiler alone: names, lines of constructs, loops whose kind the runtime does not learn.
#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <vector>

#include "tests/integration/expect.h"

namespace ompprof::testing {
namespace {

const KnownAnswer kKnown[] = {
    {"flat_flang", {"works::work_a", "works::work_b", "works::work_c"}},
    {"call_sites_flang", {"sites::site_work"}, true},
    {"nested_flang", {"inner::nested_work"}, false, false, 2},
    {"tasks_flang", {"queue::task_work"}},
};

class Flang : public ::testing::TestWithParam<std::tuple<KnownAnswer, int>> {};

TEST_P(Flang, KnownAnswer) {
  const auto& [known, libomp] = GetParam();
  if (RuntimeFolder(libomp).empty()) {
    GTEST_SKIP() << "libomp " << libomp << " is not under .deps/: scripts/setup could not download it.";
  }
  Launch launch;
  launch.libomp = libomp;
  const auto recorded = ExpectKnownAnswer(known, "", launch);
  ASSERT_TRUE(recorded);
  EXPECT_NE(recorded->profile.report().value("runtime", ""), "");
}

INSTANTIATE_TEST_SUITE_P(All, Flang, ::testing::Combine(::testing::ValuesIn(kKnown), ::testing::Values(14, 19)),
                         [](const auto& info) {
                           return std::string(std::get<0>(info.param).program) + "_libomp" +
                                  std::to_string(std::get<1>(info.param));
                         });

std::vector<std::string> Strings(const nlohmann::json& list, const char* member) {
  std::vector<std::string> result;
  for (const nlohmann::json& entry : list) result.push_back(entry.value(member, ""));
  return result;
}

bool Has(const std::vector<std::string>& list, const std::string& wanted) {
  for (const std::string& entry : list) {
    if (entry == wanted) return true;
  }
  return false;
}

// The line of a construct comes from the source. Debug information does not have the line.
TEST(FlangNames, OfConstructs) {
  const struct {
    const char* program;
    std::vector<std::string> regions;
    std::vector<std::string> functions;
  } cases[] = {
      {"flat_flang", {"main program [omp parallel flat.F90:40]"}, {"main program", "works::work_a", "truth::spin"}},
      {"call_sites_flang", {"sites::solve [omp parallel call_sites.F90:23]"}, {"sites::driver", "sites::site_a"}},
      {"nested_flang",
       {"outer_region [omp parallel nested.F90:65]", "inner::region [omp parallel nested.F90:19]"},
       {"outer_a", "inner::x"}},
      {"tasks_flang",
       {"main program [omp parallel tasks.F90:52]"},
       {"queue::create_a [omp task tasks.F90:21]", "queue::create_b [omp task tasks.F90:34]"}},
  };
  for (const auto& known : cases) {
    SCOPED_TRACE(known.program);
    Launch launch{known.program, {"200"}};
    launch.environment["OMP_MAX_ACTIVE_LEVELS"] = "2";
    const auto recorded = Record(launch);
    ASSERT_TRUE(recorded);
    const nlohmann::json& report = recorded->profile.report();
    const auto regions = Strings(report.value("regions", nlohmann::json::array()), "name");
    const auto functions = Strings(report.value("functions", nlohmann::json::array()), "name");
    EXPECT_EQ(regions.size(), known.regions.size());
    for (const std::string& wanted : known.regions)
      EXPECT_TRUE(Has(regions, wanted)) << wanted << " is not among " << report["regions"].dump(1);
    for (const std::string& wanted : known.functions)
      EXPECT_TRUE(Has(functions, wanted)) << wanted << " is not among " << report["functions"].dump(1);
  }
}

// The runtime would print a warning for a tool that asks for worksharing constructs. So the collector does not ask, the
// program prints its own output only, and the profile says what is missing.
class UntoldLoops : public ::testing::TestWithParam<const char*> {};

TEST_P(UntoldLoops, NothingIsPrinted) {
  Launch launch{GetParam()};
  launch.load = Load::kNone;
  const Outcome plain = RunProgram(launch);
  launch.load = Load::kRecord;
  const Outcome profiled = RunProgram(launch);
  EXPECT_TRUE(plain.Exited(0)) << plain.Describe();
  EXPECT_TRUE(profiled.Exited(0)) << profiled.Describe();
  EXPECT_EQ(profiled.out, plain.out);
  EXPECT_EQ(profiled.err, plain.err);
  ASSERT_EQ(profiled.profiles.size(), 1u);
  const Profile profile(profiled.profiles[0]);
  EXPECT_EQ(profile.error(), "");
  EXPECT_NE(profile.report().value("notes", nlohmann::json::array()).dump().find("worksharing"), std::string::npos)
      << profile.report().value("notes", nlohmann::json::array());
}

INSTANTIATE_TEST_SUITE_P(All, UntoldLoops,
                         ::testing::Values("untold_loops", "untold_loops_mixed", "untold_loops_no_pie",
                                           "untold_loops_stripped"),
                         [](const auto& info) { return std::string(info.param); });

// Other compilers do tell the runtime, and the collector believes them.
TEST(UntoldLoops, ClangsLoopsAreTold) {
  const auto recorded = Record({"flat", {"100"}});
  ASSERT_TRUE(recorded);
  EXPECT_EQ(recorded->profile.report().value("notes", nlohmann::json::array()).dump().find("worksharing"),
            std::string::npos);
}

}  // namespace
}  // namespace ompprof::testing
