// Which tool the shim starts, if any, and what it says of the search. script_tool.c is the tool, and prints what
// becomes of it.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "tests/integration/runtime_shim/activation/launch.h"

namespace gomp_ompt {
namespace {

using Lines = std::vector<std::string>;

const Lines kOneRegion = {"start_tool 202011 libgomp", "initialize",
                          "finalize threads 2/2 regions 1/1 implicit 2/2 initial 1/1 mutex 0/0"};

TEST(ToolSetting, ValuesOfOmpTool) {
  for (const char* value : {"enabled", "ENABLED", "Enabled", " enabled", "enabled\t ", "\n enabled ", "", " "}) {
    const Outcome outcome = RunUnderShim("program", {"region"}, {{"OMP_TOOL", value}}, {"libtool.so"});
    EXPECT_TRUE(IsDone(outcome)) << value << outcome.Describe();
    EXPECT_EQ(ToolLines(outcome), kOneRegion) << value;
  }
  for (const char* value : {"disabled", "DISABLED", "Disabled", "  disabled\t"}) {
    const Outcome outcome = RunUnderShim("program", {"region"}, {{"OMP_TOOL", value}}, {"libtool.so"});
    EXPECT_TRUE(IsDone(outcome)) << value << outcome.Describe();
    EXPECT_EQ(outcome.err, "") << value;
  }
}

// The program runs as alone, but for a line. The draft has it ended.
TEST(ToolSetting, WithAnythingElseThereIsNoTool) {
  for (const char* value : {"yes", "1", "true", "enable", "enabledd", "enabled,disabled", "dis abled"}) {
    const std::string said = std::string("OMP_TOOL is \"") + value +
                             "\", so no tool is started; set it to enabled or disabled, or leave it unset\n";
    Outcome outcome = RunUnderShim("program", {"region"}, {{"OMP_TOOL", value}}, {"libtool.so"});
    EXPECT_TRUE(IsDone(outcome)) << value << outcome.Describe();
    EXPECT_EQ(ToolLines(outcome), Lines());
    EXPECT_EQ(outcome.err, "libgomp_ompt: " + said);
    outcome =
        RunUnderShim("program", {"region"}, {{"OMP_TOOL", value}, {"GOMP_OMPT_GENERATION", "draft"}}, {"libtool.so"});
    EXPECT_TRUE(outcome.Exited(1)) << value << outcome.Describe();
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(outcome.err, "libgomp_ompt: fatal error: " + said);
  }
}

TEST(Search, EachPlaceOfATool) {
  // The tool is in the program, in a library of the address space, or in a named library.
  for (const Outcome& outcome :
       {RunUnderShim("program_with_tool", {"region"}), RunUnderShim("program", {"region"}, {}, {"libtool.so"}),
        RunUnderShim("program", {"region"}, {{"OMP_TOOL_LIBRARIES", Built("libtool.so")}})}) {
    EXPECT_TRUE(IsDone(outcome)) << outcome.Describe();
    EXPECT_EQ(ToolLines(outcome), kOneRegion);
    EXPECT_EQ(OtherLines(outcome), "");
  }
}

// The linker makes a program export its tool if a library of the program asks for it. libgomp does not ask.
TEST(Search, FindsAToolThatTheProgramDoesNotExport) {
  for (const char* program : {"program_with_hidden_tool", "program_with_hidden_tool_at_fixed_address"}) {
    EXPECT_EQ(ToolLines(RunUnderShim(program, {"region"})), kOneRegion) << program;
    // The program is the first of the address space.
    const Outcome outcome = RunUnderShim(program, {"region"}, {}, {"libsecond.so"});
    EXPECT_TRUE(IsDone(outcome)) << outcome.Describe();
    EXPECT_EQ(ToolLines(outcome), kOneRegion) << program;
    EXPECT_EQ(ToolLines(outcome, "second"), Lines()) << program;
  }
  // A static function of that name is no tool, and a stripped one cannot be found.
  for (const char* program : {"program_with_static_tool", "program_with_stripped_tool"}) {
    EXPECT_EQ(RunUnderShim(program, {"region"}).err, "") << program;
    EXPECT_EQ(ToolLines(RunUnderShim(program, {"region"}, {}, {"libsecond.so"}), "second"), kOneRegion) << program;
  }
}

// GOMP_OMPT_TOOL_LIBRARIES. tests/integration/loading_test.cc has the programs that ask for the shim themselves.
TEST(Search, ANamedToolKeepsTheProgramsToolsOff) {
  const Environment named = {{"GOMP_OMPT_TOOL_LIBRARIES", Built("libsecond.so") + ":/none/such.so"},
                             {"OMP_TOOL_LIBRARIES", Built("libtool.so")}};
  for (const char* program : {"program", "program_with_tool", "program_with_hidden_tool"}) {
    Outcome outcome = RunUnderShim(program, {"region"}, named, {"libtool.so", "libsecond.so"});
    EXPECT_TRUE(IsDone(outcome)) << outcome.Describe();
    EXPECT_EQ(ToolLines(outcome, "second"), kOneRegion) << program;
    EXPECT_EQ(ToolLines(outcome), Lines()) << program;
    // A tool that declines leaves its place to nobody.
    Environment declined = named;
    declined["TOOL_SCRIPT"] = "decline_second";
    outcome = RunUnderShim(program, {"region"}, declined, {"libtool.so", "libsecond.so"});
    EXPECT_EQ(ToolLines(outcome, "second"), Lines({kOneRegion[0]})) << program;
    EXPECT_EQ(ToolLines(outcome), Lines()) << program;
    // A library that is not loaded is no tool.
    outcome = RunUnderShim(program, {"region"}, named);
    EXPECT_EQ(ToolLines(outcome), kOneRegion) << program;
    EXPECT_EQ(ToolLines(outcome, "second"), Lines()) << program;
  }
}

// A program's first call into the runtime may be any routine.
TEST(Start, TheFirstRoutineStartsTheTool) {
  for (const char* routine :
       {"omp_set_nested", "omp_get_num_threads", "omp_get_num_devices", "omp_get_thread_num", "omp_get_wtime",
        "omp_set_num_threads_", "omp_get_ancestor_thread_num_8_", "omp_get_place_proc_ids", "omp_alloc"}) {
    const Outcome outcome = RunUnderShim("routine", {routine}, {}, {"libtool.so"});
    EXPECT_TRUE(IsDone(outcome)) << routine << outcome.Describe();
    EXPECT_EQ(ToolLines(outcome), Lines({kOneRegion[0], "initialize",
                                         "finalize threads 1/1 regions 0/0 implicit 0/0 initial 1/1 mutex 0/0"}))
        << routine;
    const Outcome without = RunUnderShim("routine", {routine});
    EXPECT_TRUE(IsDone(without)) << routine << without.Describe();
  }
}

// A library may ask for a routine by a weak reference. The shim must not answer that there is OpenMP.
TEST(Start, ARoutineWithoutARuntimeAnswersForOneThread) {
  const Outcome outcome = RunUnderShim("weak_routine", {}, {}, {"libtool.so"});
  EXPECT_TRUE(IsDone(outcome)) << outcome.Describe();
  EXPECT_EQ(outcome.err, "");
}

TEST(Start, TheToolIsToldWhichRuntimeThereIs) {
  const Lines lines = ToolLines(RunUnderShim("program", {"region"}, {{"TOOL_SCRIPT", "names"}}, {"libtool.so"}));
  ASSERT_GT(lines.size(), 0u);
  const std::string begin = "runtime libgomp_ompt 1.0 over GCC libgomp (/", end = "/libgomp.so.1)";
  EXPECT_EQ(lines[0].rfind(begin, 0), 0u) << lines[0];
  EXPECT_EQ(lines[0].substr(lines[0].size() - end.size()), end);
}

TEST(Search, WithoutAToolNothingIsSaid) {
  const Outcome outcome = RunUnderShim("program", {"region"});
  EXPECT_TRUE(IsDone(outcome)) << outcome.Describe();
  EXPECT_EQ(outcome.err, "");
}

TEST(Search, TheAddressSpaceComesFirstAndTheFirstLibraryThatDoesNotDecline) {
  const std::string libraries = Built("libtool.so") + ":" + Built("libsecond.so");
  Outcome outcome = RunUnderShim("program", {"region"}, {{"OMP_TOOL_LIBRARIES", libraries}}, {"libsecond.so"});
  EXPECT_EQ(ToolLines(outcome, "second"), kOneRegion);
  EXPECT_EQ(ToolLines(outcome), Lines());

  outcome = RunUnderShim("program", {"region"}, {{"OMP_TOOL_LIBRARIES", libraries}});
  EXPECT_EQ(ToolLines(outcome), kOneRegion);
  EXPECT_EQ(ToolLines(outcome, "second"), Lines());

  // After a tool that declines, or that has no initializer, the search goes on.
  outcome = RunUnderShim("program", {"region"}, {{"OMP_TOOL_LIBRARIES", libraries}, {"TOOL_SCRIPT", "decline_tool"}});
  EXPECT_EQ(ToolLines(outcome), Lines({kOneRegion[0]}));
  EXPECT_EQ(ToolLines(outcome, "second"), kOneRegion);

  outcome =
      RunUnderShim("program", {"region"},
                   {{"OMP_TOOL_LIBRARIES", Built("libsecond.so")}, {"TOOL_SCRIPT", "decline_tool"}}, {"libtool.so"});
  EXPECT_EQ(ToolLines(outcome), Lines({kOneRegion[0]}));
  EXPECT_EQ(ToolLines(outcome, "second"), kOneRegion);

  outcome = RunUnderShim("program", {"region"}, {{"OMP_TOOL_LIBRARIES", libraries}, {"TOOL_SCRIPT", "no_initializer"}});
  EXPECT_EQ(ToolLines(outcome), Lines({kOneRegion[0]}));
  EXPECT_EQ(ToolLines(outcome, "second"), Lines({kOneRegion[0]}));
  EXPECT_TRUE(IsDone(outcome)) << outcome.Describe();
}

TEST(Search, LibrariesThatAreNoneAreNoTrouble) {
  for (const std::string& libraries : {std::string("/none/such.so"), std::string("libm.so.6"), std::string(":::")}) {
    Outcome outcome = RunUnderShim("program", {"region"}, {{"OMP_TOOL_LIBRARIES", libraries}});
    EXPECT_TRUE(IsDone(outcome)) << outcome.Describe();
    EXPECT_EQ(outcome.err, "");
    outcome =
        RunUnderShim("program", {"region"}, {{"OMP_TOOL_LIBRARIES", libraries + "::" + Built("libtool.so") + ":"}});
    EXPECT_EQ(ToolLines(outcome), kOneRegion) << libraries;
  }
}

TEST(Search, AnInitializerThatReturnsZeroEndsTheTool) {
  const Outcome outcome = RunUnderShim("program", {"region"}, {{"TOOL_SCRIPT", "inactive"}}, {"libtool.so"});
  EXPECT_TRUE(IsDone(outcome)) << outcome.Describe();
  EXPECT_EQ(ToolLines(outcome), Lines({"start_tool 202011 libgomp", "initialize"}));
}

TEST(Search, AProgramWithoutOpenMpStartsNoTool) {
  for (const char* setting : {"enabled", "nonsense"}) {
    const Outcome outcome = RunUnderShim(
        "serial", {},
        {{"OMP_TOOL_LIBRARIES", Built("libtool.so")}, {"OMP_TOOL", setting}, {"OMP_TOOL_VERBOSE_INIT", "stderr"}},
        {"libtool.so"});
    EXPECT_TRUE(IsDone(outcome)) << outcome.Describe();
    EXPECT_EQ(outcome.err, "");
  }
}

std::string Log(const std::string& text) {
  return "----- START LOGGING OF TOOL REGISTRATION -----\n" + text + "----- END LOGGING OF TOOL REGISTRATION -----\n";
}

TEST(VerboseInit, TellsTheStoryWhereItIsWanted) {
  const std::string tool = Built("libtool.so"), second = Built("libsecond.so");
  const std::string list = "/none/such.so:libm.so.6:" + tool + ":" + second;
  const std::string story = Log(
      "Search for OMP tool in current address space... Failed.\nSearching tool libraries...\nOMP_TOOL_LIBRARIES = " +
      list +
      "\nOpening /none/such.so... Failed: /none/such.so: cannot open shared object file: No such file or directory\n"
      "Opening libm.so.6... Success.\nSearching for ompt_start_tool in libm.so.6... Failed: "
      "/lib/x86_64-linux-gnu/libm.so.6: undefined symbol: ompt_start_tool\n"
      "Opening " +
      tool + "... Success.\nSearching for ompt_start_tool in " + tool +
      "... Found but not using the OMPT interface.\nContinuing search...\n"
      "Opening " +
      second + "... Success.\nSearching for ompt_start_tool in " + second +
      "... Success.\n"
      "Tool was started and is using the OMPT interface.\n");
  const Environment environment = {{"OMP_TOOL_LIBRARIES", list}, {"TOOL_SCRIPT", "decline_tool"}};

  for (const char* where : {"stdout", "STDOUT", "StdOut"}) {
    Environment with = environment;
    with["OMP_TOOL_VERBOSE_INIT"] = where;
    EXPECT_EQ(RunUnderShim("program", {"region"}, with).out, story + "done\n");
  }
  for (const char* where : {"", "disabled", "DISABLED"}) {
    Environment with = environment;
    with["OMP_TOOL_VERBOSE_INIT"] = where;
    const Outcome outcome = RunUnderShim("program", {"region"}, with);
    EXPECT_TRUE(IsDone(outcome)) << outcome.Describe();
    EXPECT_EQ(OtherLines(outcome), "");
  }
  const std::string path = ompprof::testing::NewFolder() + "/story";
  std::ofstream(path) << "of an earlier run";
  Environment with = environment;
  with["OMP_TOOL_VERBOSE_INIT"] = path;
  EXPECT_TRUE(IsDone(RunUnderShim("program", {"region"}, with)));
  std::ostringstream written;
  written << std::ifstream(path).rdbuf();
  EXPECT_EQ(written.str(), story);
}

TEST(VerboseInit, OtherStories) {
  const auto story = [](const Environment& environment, const std::vector<std::string>& preload) {
    Environment with = environment;
    with["OMP_TOOL_VERBOSE_INIT"] = "stdout";
    return RunUnderShim("program", {"region"}, with, preload).out;
  };
  const std::string search = "Search for OMP tool in current address space... ";
  const std::string no_libraries = "No OMP_TOOL_LIBRARIES defined.\n...searching tool libraries failed.\n";
  EXPECT_EQ(story({}, {}), Log(search + "Failed.\n" + no_libraries + "No OMP tool loaded.\n") + "done\n");
  EXPECT_EQ(story({}, {"libtool.so"}),
            Log(search + "Success.\nTool was started and is using the OMPT interface.\n") + "done\n");
  EXPECT_EQ(story({{"TOOL_SCRIPT", "decline"}}, {"libtool.so"}),
            Log(search + "Failed.\n" + no_libraries + "No OMP tool loaded.\n") + "done\n");
  EXPECT_EQ(story({{"TOOL_SCRIPT", "inactive"}}, {"libtool.so"}),
            Log(search + "Success.\nTool was started and is using the OMPT interface.\n") + "done\n");
  const std::string tool = Built("libtool.so");
  EXPECT_EQ(story({{"TOOL_SCRIPT", "decline"}, {"OMP_TOOL_LIBRARIES", tool}}, {}),
            Log(search + "Failed.\nSearching tool libraries...\nOMP_TOOL_LIBRARIES = " + tool + "\nOpening " + tool +
                "... Success.\nSearching for ompt_start_tool in " + tool +
                "... Found but not using the OMPT interface.\nContinuing search...\n"
                "...searching tool libraries failed.\nNo OMP tool loaded.\n") +
                "done\n");
  EXPECT_EQ(story({{"OMP_TOOL", "disabled"}}, {"libtool.so"}), Log("OMP tool disabled.\n") + "done\n");
}

// The tool's words on stdout stand where they belong, and the log is complete when the initializer runs.
TEST(VerboseInit, GoesThroughStdioAndEndsBeforeTheInitializer) {
  Environment environment = {
      {"OMP_TOOL_VERBOSE_INIT", "stdout"}, {"OMP_TOOL_LIBRARIES", Built("libtool.so")}, {"TOOL_SCRIPT", "prints"}};
  const Outcome outcome = RunUnderShim("program", {"region"}, environment);
  EXPECT_NE(outcome.out.find("libtool.so... printed: start_tool\nSuccess.\n"), std::string::npos) << outcome.Describe();
  EXPECT_NE(outcome.out.find("----- END LOGGING OF TOOL REGISTRATION -----\nprinted: initialize\ndone\n"),
            std::string::npos)
      << outcome.Describe();

  environment["OMP_TOOL_VERBOSE_INIT"] = ompprof::testing::NewFolder() + "/log";
  const Outcome file = RunUnderShim("program", {"region"}, environment);
  EXPECT_NE(file.out.find("the log ends: ----- END LOGGING OF TOOL REGISTRATION -----\n"), std::string::npos)
      << file.Describe();
}

TEST(VerboseInit, AFileThatCannotBeWrittenIsSaid) {
  const Outcome outcome = RunUnderShim("program", {"region"}, {{"OMP_TOOL_VERBOSE_INIT", "/none/such"}});
  EXPECT_TRUE(IsDone(outcome)) << outcome.Describe();
  EXPECT_EQ(outcome.err,
            "libgomp_ompt: OMP_TOOL_VERBOSE_INIT: cannot write to \"/none/such\": No such file or directory\n");
}

// The program does not call functions that its runtime lacks.
TEST(OlderRuntime, DoesNotSayHowManyTeamsTheEnvironmentWants) {
  const std::string library = Built("older/libgomp.so.1");
  const std::string folder = library.substr(0, library.rfind('/'));
  const Outcome outcome = RunUnderShim("program", {"teams"}, {{"LD_LIBRARY_PATH", folder}}, {"libtool.so"});
  EXPECT_TRUE(IsDone(outcome)) << outcome.Describe();
  EXPECT_EQ(ToolLines(outcome), Lines({"start_tool 202011 libgomp", "initialize",
                                       "finalize threads 1/1 regions 4/4 implicit 3/3 initial 4/4 mutex 0/0"}));
}

TEST(StaticRuntime, IsToldOfWhenAToolIsAskedFor) {
  const std::string warning =
      "libgomp_ompt: libgomp is linked into this program statically, so no OMPT tool can see it;";
  for (const Outcome& outcome : {RunUnderShim("program_static", {"region"}, {}, {"libtool.so"}),
                                 RunUnderShim("program_static", {"region"}, {{"OMP_TOOL_LIBRARIES", "any.so"}})}) {
    EXPECT_TRUE(IsDone(outcome)) << outcome.Describe();
    EXPECT_EQ(outcome.err.rfind(warning, 0), 0u) << outcome.err;
    EXPECT_EQ(outcome.err.find('\n'), outcome.err.size() - 1) << "one line: " << outcome.err;
  }
  EXPECT_EQ(RunUnderShim("program_static", {"region"}).err, "");
  const Outcome stripped = RunUnderShim("program_static_stripped", {"region"}, {}, {"libtool.so"});
  EXPECT_TRUE(IsDone(stripped)) << stripped.Describe();
  EXPECT_EQ(stripped.err.rfind(warning, 0), 0u) << stripped.err;
  EXPECT_EQ(RunUnderShim("program_static", {"region"}, {{"OMP_TOOL", "disabled"}}, {"libtool.so"}).err, "");
}

}  // namespace
}  // namespace gomp_ompt
