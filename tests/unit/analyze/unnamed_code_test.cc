// Time in functions without a name, and the words about it.
#include "profiler/analyze/account/unnamed_code.h"

#include <gtest/gtest.h>

#include "profiler/report/sections/unnamed.h"
#include "tests/unit/analyze/team.h"

namespace ompprof::analyze {
namespace {

using test::SymbolAddresses;
using test::Team;

constexpr char kFolder[] = "tests/unit/analyze/waiting/";

class UnnamedCodeTest : public ::testing::Test {
 protected:
  UnnamedCodeTest() {
    team_.builder.AddModule(2, std::string(kFolder) + "stripped/libopenblas.so.0", kStripped, 0x100000);
    team_.builder.AddModule(3, "/nowhere/libpython3.11.so.1.0", kMissing, 0x100000);
    main_ = team_.Frames(1, team_.Root(1), {"in_main"});
  }

  void Sample(uint64_t address, uint64_t weight) {
    const uint32_t node = team_.builder.AddNode(1, main_, NODE_FRAME, address);
    team_.builder.AddSample({.tree = 1, .node = node, .weight = weight});
  }

  static uint64_t Kernel() {
    return kStripped + SymbolAddresses(std::string(kFolder) + "libopenblas.so.0").at("in_kernel");
  }

  UnnamedCode Find() {
    team_.Build();
    return FindUnnamedCode(team_.view, team_.symbolizer);
  }

  static constexpr uint64_t kStripped = 0x7f5000000000;
  static constexpr uint64_t kMissing = 0x7f6000000000;
  Team team_;
  uint32_t main_;
};

TEST_F(UnnamedCodeTest, HalfOfTheTime) {
  Sample(Kernel(), 3000);
  Sample(kMissing + 0x1000, 1000);
  team_.builder.AddSample({.tree = 1, .node = main_, .weight = 2000});
  const UnnamedCode unnamed = Find();
  EXPECT_EQ(unnamed.weight, 3000u) << "the file that is missing has a warning";
  ASSERT_EQ(unnamed.objects.size(), 1u);
  EXPECT_EQ(unnamed.objects[0].path, std::string(kFolder) + "stripped/libopenblas.so.0");
  EXPECT_TRUE(unnamed.noticeable);
  EXPECT_FALSE(unnamed.python_noticeable);
}

TEST_F(UnnamedCodeTest, TheWordsNameTheCommand) {
  Sample(Kernel(), 3000);
  team_.builder.AddSample({.tree = 1, .node = main_, .weight = 3000});
  UnnamedCode unnamed = Find();
  unnamed.objects[0].command = "apt install libopenblas0-dbgsym";
  const std::string text = report::UnnamedText(team_.view, unnamed, {});
  EXPECT_NE(text.find("Functions without a name (50.0 % of "), std::string::npos) << text;
  EXPECT_NE(text.find("libopenblas.so.0  apt install libopenblas0-dbgsym"), std::string::npos) << text;
  EXPECT_NE(text.find("debian-debug"), std::string::npos) << text;
}

TEST_F(UnnamedCodeTest, LittleTimeIsNotWorthAWord) {
  Sample(Kernel(), 40);
  team_.builder.AddSample({.tree = 1, .node = main_, .weight = 960});
  const UnnamedCode unnamed = Find();
  EXPECT_EQ(unnamed.weight, 40u);
  EXPECT_FALSE(unnamed.noticeable);
  EXPECT_EQ(report::UnnamedText(team_.view, unnamed, {}), "");
}

// A view with paths of made-up names: the interpreter's loop, with and without a Python function.
TEST(PythonCode, HasNamesOrASentence) {
  for (const bool named : {false, true}) {
    View view;
    const model::Symbolizer symbolizer;
    PathId path = view.paths.Child(kEmptyPath, view.frames.AddPseudo("_PyEval_EvalFrameDefault"));
    if (named) path = view.paths.Child(path, view.frames.AddPseudo("py::solve:/home/me/solve.py"));
    ViewSample sample{};
    sample.path = view.paths.Child(path, view.frames.AddPseudo("PyNumber_Add"));
    sample.cost.Add(1, 600);
    view.samples.push_back(sample);
    view.total_weight = 1000;
    const UnnamedCode unnamed = FindUnnamedCode(view, symbolizer);
    EXPECT_EQ(unnamed.python.weight, named ? 0u : 600u);
    EXPECT_EQ(report::PythonSentence(view, unnamed).empty(), named);
  }
}

TEST(PythonCode, TheSentenceDependsOnTheVersion) {
  View view;
  view.total_weight = 1000;
  UnnamedCode unnamed;
  unnamed.python_noticeable = true;
  unnamed.python.weight = 500;
  unnamed.python.minor = 11;
  EXPECT_EQ(report::PythonSentence(view, unnamed),
            "50.0 % of the time is below Python functions without a name. Python 3.11 cannot name them for a profiler. "
            "Python 3.12 and later can: run it with -X perf.");
  unnamed.python.minor = 12;
  EXPECT_EQ(
      report::PythonSentence(view, unnamed),
      "50.0 % of the time is below Python functions without a name. Python 3.12 names them if it is run with -X perf "
      "or PYTHONPERFSUPPORT=1.");
}

}  // namespace
}  // namespace ompprof::analyze
