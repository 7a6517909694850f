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
  for (const char* asked : {"tr2", "draft", "tr6"}) EXPECT_EQ(Generation(OnShim(asked)), asked);
  EXPECT_EQ(Generation({"own_runtime", {"100"}}), "5.x");
}

TEST(Generation, IsInTheHeader) {
  const auto recorded = Record(OnShim("tr6"));
  ASSERT_TRUE(recorded);
  for (const std::vector<std::string>& command : {std::vector<std::string>{"report", "--full"}, {"info"}}) {
    std::vector<std::string> words = {OmpprofPath()};
    words.insert(words.end(), command.begin(), command.end());
    words.push_back(recorded->outcome.profiles[0]);
    const Outcome outcome = RunCommand(words);
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
  ExpectShares(*recorded);
}

// A library like LLVM's runtime of 2014 to 2017: a weak symbol, which a tool replaces. It registers everything, and has
// the functions that are mandatory.
std::string OlderRuntime(const char* declaration, const char* start) {
  const std::string folder = NewFolder();
  const std::string source = folder + "/runtime.c", library = folder + "/libomp.so.5";
  std::ofstream(source) << "#include <string.h>\n"
                           "typedef void* (*Lookup)(const char*);\n"
                           "static int set_callback(int event, void* callback) { return 4; }\n"
                           "static unsigned long get_task_id(int level) { return 1; }\n"
                           "static void* get_task_frame(int level) { static void* frame[2]; return frame; }\n"
                           "static void* lookup(const char* name) {\n"
                           "  if (!strcmp(name, \"ompt_set_callback\")) return set_callback;\n"
                           "  if (!strcmp(name, \"ompt_get_task_id\")) return get_task_id;\n"
                           "  return !strcmp(name, \"ompt_get_task_frame\") ? get_task_frame : 0;\n"
                           "}\n"
                        << declaration << "\n__attribute__((constructor)) static void begin() { " << start << " }\n";
  const Outcome built = RunCommand({"gcc", "-shared", "-fPIC", source, "-o", library});
  EXPECT_TRUE(built.Exited(0)) << built.Describe();
  return library;
}
std::string DraftRuntime() {
  return OlderRuntime(
      "typedef void (*Initialize)(Lookup, const char*, unsigned);\n"
      "__attribute__((weak)) Initialize ompt_tool() { return 0; }",
      "Initialize initialize = ompt_tool(); if (initialize) initialize(lookup, \"a draft runtime\", 1);");
}

Launch With(const std::string& library, const std::vector<std::string>& options = {}) {
  Launch launch{"fixed_work", {"100000"}};
  launch.load = Load::kRecord;
  launch.record_options = options;
  launch.preload_also = library;
  return launch;
}

TEST(Generation, BeforeStartToolIsFound) {
  EXPECT_EQ(Generation(With(DraftRuntime())), "draft");
  EXPECT_EQ(
      Generation(With(OlderRuntime("__attribute__((weak)) int ompt_initialize(Lookup lookup, const char* version, "
                                   "unsigned ompt) { return 0; }",
                                   "ompt_initialize(lookup, \"a TR2 runtime\", 1);"))),
      "tr2");
}

TEST(Generation, BeforeStartToolIsToldAbout) {
  const auto recorded = Record(With(DraftRuntime(), {"--older-ompt=off"}));
  ASSERT_TRUE(recorded);
  const nlohmann::json& report = recorded->profile.report();
  EXPECT_FALSE(report.contains("ompt_generation"));
  EXPECT_NE(report["notes"].dump().find("record --older-ompt=on"), std::string::npos) << report["notes"].dump(1);
}

// The symbols could take functions of the same names away from other tools.
TEST(Generation, OlderSymbolsAreOfferedWhereTheyAreWanted) {
  const auto preloads = [](const std::vector<std::string>& options) {
    std::vector<std::string> command = {OmpprofPath(), "record"};
    command.insert(command.end(), options.begin(), options.end());
    command.insert(command.end(), {"--", "/usr/bin/env"});
    const Outcome outcome = RunCommand(command, NewFolder());
    EXPECT_TRUE(outcome.Exited(0)) << outcome.Describe();
    return outcome.out.find("libompprof_older_ompt.so") != std::string::npos;
  };
  EXPECT_FALSE(preloads({}));
  EXPECT_TRUE(preloads({"--older-ompt=on"}));
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
