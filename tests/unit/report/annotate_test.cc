// Annotated sources and instructions: which functions a pattern means, what objdump prints, where sources are found,
// and lines with their costs. Figures are made up.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "profiler/report/annotate/annotation.h"
#include "profiler/report/annotate/disassembly.h"
#include "profiler/report/annotate/source.h"
#include "profiler/report/annotate/target.h"
#include "proto/ompt_state.h"
#include "tests/unit/analyze/made_up_view.h"
#include "tests/unit/analyze/team.h"

namespace ompprof::report {
namespace {

using test::MadeUpView;
using test::Team;
using Strings = std::vector<std::string>;

constexpr OmptState kCritical = OmptState::kWaitCritical;

Strings Meant(const MadeUpView& run, const std::string& text) {
  const std::vector<bool> meant = FunctionsMeant(run.view, text);
  Strings names;
  for (analyze::FunctionId id = 1; id < meant.size(); ++id) {
    if (meant[id]) names.push_back(run.view.frames.function(id).name);
  }
  return names;
}

TEST(FunctionsMeant, NamesFilesAndPatterns) {
  MadeUpView run;
  for (const char* name : {"space::Solver<int>::relax(int)", "relax_rows", "relax_rows [omp parallel s.c:7]"})
    run.Function(name);
  EXPECT_EQ(Meant(run, "relax_rows"), (Strings{"relax_rows", "relax_rows [omp parallel s.c:7]"}));
  EXPECT_EQ(Meant(run, "space::Solver::relax"), Strings{"space::Solver<int>::relax(int)"});
  EXPECT_EQ(Meant(run, "relax"), Strings{"space::Solver<int>::relax(int)"});  // by the end of its name
  EXPECT_EQ(Meant(run, "relax_rows.c"), Strings{"relax_rows"});               // MadeUpView's files
  EXPECT_EQ(Meant(run, "^relax_"), (Strings{"relax_rows", "relax_rows [omp parallel s.c:7]"}));
  EXPECT_EQ(Meant(run, "nothing"), Strings{});
  EXPECT_EQ(Meant(run, "operator["), Strings{});  // no pattern, and no name
  EXPECT_EQ(Meant(run, ""), Strings{});
}

TEST(ParseDisassembly, WhatObjdumpPrints) {
  const auto instructions = ParseDisassembly(
      "\n/bin/x:     file format elf64-x86-64\n\n\nDisassembly of section .text:\n\n"
      "0000000000001139 <compute>:\n"
      "    1139:\tpush   %rbp\n"
      "    113a:\tmov    0x2ef0(%rip),%rax        # 4030 <x>\n"
      "\t...\n"
      "    1141:\tret    \n");
  ASSERT_EQ(instructions.size(), 3u);
  EXPECT_EQ(instructions[0].address, 0x1139u);
  EXPECT_EQ(instructions[0].text, "push   %rbp");
  EXPECT_EQ(instructions[2].address, 0x1141u);
  EXPECT_EQ(instructions[2].text, "ret");
}

TEST(ParseDisassembly, WhatLlvmsObjdumpPrints) {
  const auto instructions = ParseDisassembly(
      "\n/bin/x:\tfile format elf64-x86-64\n\nDisassembly of section .text:\n\n"
      "0000000000002000 <compute>:\n"
      "    2000:      \tsubq\t$8, %rsp\n"
      "    2004:      \tretq\n");
  ASSERT_EQ(instructions.size(), 2u);
  EXPECT_EQ(instructions[0].address, 0x2000u);
  EXPECT_EQ(instructions[0].text, "subq $8, %rsp");
  EXPECT_EQ(instructions[1].text, "retq");
}

TEST(Disassemble, SaysWhatIsMissing) {
  EXPECT_NE(Disassemble("no-such-objdump", "/bin/sh", 0x1000, 0x1010).problem.find("no-such-objdump"),
            std::string::npos);
  EXPECT_FALSE(Disassemble("objdump", "[vdso]", 0x1000, 0x1010).problem.empty());
  EXPECT_FALSE(Disassemble("objdump", "/bin/sh", 0x1000, 0x1000).problem.empty());
}

class SourceTest : public ::testing::Test {
 protected:
  SourceTest() : folder_(std::string(std::getenv("TEST_TMPDIR")) + "/sources") {
    EXPECT_EQ(std::system(("mkdir -p " + folder_ + "/deep").c_str()), 0);
    std::ofstream(folder_ + "/deep/a.c") << "int a;\n\tint b;\x1b[2J\n";
  }
  std::string folder_;
};

TEST_F(SourceTest, WhereItSays) {
  const SourceText text = ReadSource(folder_ + "/deep/a.c", {}, 0);
  EXPECT_EQ(text.lines, (Strings{"int a;", "        int b;?[2J"}));
  EXPECT_EQ(text.problem, "");
}

TEST_F(SourceTest, BelowAFolder) {
  EXPECT_EQ(ReadSource("/build/elsewhere/deep/a.c", {{folder_}, {}}, 0).path, folder_ + "/deep/a.c");
  EXPECT_EQ(ReadSource("a.c", {{"/nowhere", folder_ + "/deep"}, {}}, 0).path, folder_ + "/deep/a.c");
}

TEST_F(SourceTest, BelowTheFolderThatItWasCompiledIn) {
  EXPECT_EQ(ReadSource("deep/a.c", {{}, {"/nowhere", folder_}}, 0).path, folder_ + "/deep/a.c");
  EXPECT_EQ(SourceCandidates("deep/a.c", {{"/given"}, {"/built"}}),
            (Strings{"/given/deep/a.c", "/given/a.c", "/built/deep/a.c", "deep/a.c"}));
  EXPECT_EQ(SourceCandidates("/deep/a.c", {{}, {"/built"}}), Strings{"/deep/a.c"});
}

TEST_F(SourceTest, SentencesForWhatCannotBeShown) {
  EXPECT_NE(ReadSource("/nowhere/a.c", {}, 0).problem.find("--source-path"), std::string::npos);
  EXPECT_NE(ReadSource("/dev/zero", {}, 0).problem.find("not a source file"), std::string::npos);
  EXPECT_NE(ReadSource("", {}, 0).problem.find("-g"), std::string::npos);
  EXPECT_NE(ReadSource(folder_ + "/deep/a.c", {}, 1000000000).problem.find("changed after"), std::string::npos);
}

TEST_F(SourceTest, LinesWithTheirCost) {
  std::ofstream(folder_ + "/f.c") << "void f() {  // one\n  two\n  three\n  four\n  five\n  six\n}\n";
  MadeUpView run;
  run.Add({.path = {"main", "f"}, .samples = 3, .weight = 3000});
  run.Add({.path = {"main", "f", "<omp critical>"}, .samples = 1, .weight = 1000, .wait = 5000000, .state = kCritical});
  model::Symbolizer symbolizer;
  AnnotateOptions options;
  options.source_folders = {folder_};
  options.context = 2;
  const std::string text =
      AnnotateText(run.view, analyze::Annotate(run.view, FunctionsMeant(run.view, "f")), "f", &symbolizer, options);
  EXPECT_NE(text.find("4.00 us, 100.0 %, in 4 samples"), std::string::npos) << text;
  EXPECT_NE(text.find("  100.0 %        4  75.0 %  25.0 %  5.00 ms     100.0 %     1  void f() {  // one\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("  3    three\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("four"), std::string::npos) << text;
}

// The JSON of f.c in `folder`: four samples on its first line, one of them in a critical construct.
std::string ExpectedJson(const std::string& folder) {
  return R"({
  "schema_version": 1,
  "name": "f",
  "view": "user",
  "weight_unit": "nanoseconds",
  "sampled_cpu_ns": 10000000,
  "self_cpu_ns": 4000,
  "self_samples": 4,
  "spent_cpu_ns": {
    "work": 3000,
    "barrier": 0,
    "lock": 1000,
    "tasks": 0,
    "wait": 0,
    "mpi": 0,
    "overhead": 0,
    "ompprof": 0
  },
  "wait_ns": 5000000,
  "blame_ns": 0,
  "total_cpu_ns": 4000,
  "total_samples": 4,
  "files": [
    {
      "file": "f.c",
      "read_from": ")" +
         folder + R"(/f.c",
      "note": "",
      "self_cpu_ns": 4000,
      "self_samples": 4,
      "lines": [
        {
          "line": 1,
          "text": "void f() {  // one",
          "self_cpu_ns": 4000,
          "self_samples": 4,
          "spent_cpu_ns": {
            "work": 3000,
            "barrier": 0,
            "lock": 1000,
            "tasks": 0,
            "wait": 0,
            "mpi": 0,
            "overhead": 0,
            "ompprof": 0
          },
          "wait_ns": 5000000,
          "blame_ns": 0,
          "total_cpu_ns": 4000,
          "total_samples": 4
        }
      ]
    }
  ],
  "code": []
}
)";
}

TEST_F(SourceTest, JsonHasEveryLineWithACost) {
  std::ofstream(folder_ + "/f.c") << "void f() {  // one\n\ttwo\n}\n";
  MadeUpView run;
  run.Add({.path = {"main", "f"}, .samples = 3, .weight = 3000});
  run.Add({.path = {"main", "f", "<omp critical>"}, .samples = 1, .weight = 1000, .wait = 5000000, .state = kCritical});
  run.Add({.path = {"main"}, .samples = 9996, .weight = 9996000});
  model::Symbolizer symbolizer;
  AnnotateOptions options;
  options.source_folders = {folder_};
  const std::string text =
      AnnotateJson(run.view, analyze::Annotate(run.view, FunctionsMeant(run.view, "f")), "f", &symbolizer, options);
  EXPECT_EQ(text, ExpectedJson(folder_));
}

TEST_F(SourceTest, NoLineIsWiderThanTheTerminal) {
  MadeUpView run;
  run.Add({.path = {"main", "f"}, .samples = 3, .weight = 3000});
  run.Add({.path = {"main", "g"}, .samples = 997, .weight = 997000});
  model::Symbolizer symbolizer;
  AnnotateOptions options;
  options.style.width = 60;
  const std::string text =
      AnnotateText(run.view, analyze::Annotate(run.view, FunctionsMeant(run.view, "f")), "f", &symbolizer, options);
  EXPECT_NE(text.find("is elsewhere in it"), std::string::npos) << text;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 60u) << line;
}

// A real function: team.so's main, disassembled, with the costs at their instructions.
TEST(AnnotateText, Instructions) {
  Team team;
  team.builder.AddSample({.node = team.Frames(1, team.Root(1), {"in_main"}), .samples = 5, .weight = 5000});
  team.Build();
  AnnotateOptions options;
  options.code = true;
  const std::string text = AnnotateText(team.view, analyze::Annotate(team.view, FunctionsMeant(team.view, "main")),
                                        "main", &team.symbolizer, options);
  EXPECT_NE(text.find("main  team.so: 5.00 us, 100.0 %"), std::string::npos) << text;
  // AT(in_main) is a nop at line 48.
  const size_t line = text.find("team.c:48  ");
  ASSERT_NE(line, std::string::npos) << text;
  const size_t end = text.find('\n', text.find('\n', line) + 1);
  const std::string instruction = text.substr(text.find('\n', line) + 1, end - text.find('\n', line) - 1);
  EXPECT_EQ(instruction.compare(0, 18, "  100.0 %        5"), 0) << text;
  EXPECT_EQ(instruction.compare(instruction.size() - 5, 5, "  nop"), 0) << text;
}

}  // namespace
}  // namespace ompprof::report
