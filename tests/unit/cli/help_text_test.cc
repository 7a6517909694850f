#include "profiler/cli/options/help_text.h"

#include <gtest/gtest.h>

namespace ompprof::cli {
namespace {

TEST(HelpText, ExplanationsContinueBelowThemselves) {
  EXPECT_EQ(FitHelp("Options:\n  --limit N      Rows of each table; 0: all rows\n", 40),
            "Options:\n  --limit N      Rows of each table; 0:\n                 all rows\n");
  EXPECT_EQ(FitHelp("  ompprof report --peek=solve run.ompprof       one function\n", 40),
            "  ompprof report --peek=solve\n    run.ompprof       one function\n");
}

TEST(HelpText, LinesOfProseAreAParagraph) {
  EXPECT_EQ(FitHelp("The program and its\narguments follow the options.\n\nExamples:\n  ompprof record\n", 40),
            "The program and its arguments follow the\noptions.\n\nExamples:\n  ompprof record\n");
}

TEST(HelpText, TheUsageIsALineOfItsOwn) {
  EXPECT_EQ(FitHelp("Run a program\nUsage: ompprof record\n", 80), "Run a program\nUsage: ompprof record\n");
}

TEST(HelpText, StaysAsItIsInAPipe) {
  const std::string help = std::string(300, 'x') + " y\n  --option   " + std::string(300, 'z') + "\n";
  EXPECT_EQ(FitHelp(help, 0), help);
}

}  // namespace
}  // namespace ompprof::cli
