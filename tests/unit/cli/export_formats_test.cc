// The table of formats is the same in the command, its help and the documentation; the manual page is made from the
// help.
#include "profiler/cli/output/export_formats.h"

#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>

#include "profiler/cli/commands/commands.h"

namespace ompprof::cli {
namespace {

TEST(ExportFormats, HelpHasEachFormat) {
  CLI::App app;
  int status = 0;
  AddCommands(&app, std::nullopt, &status);
  const std::string help = app.get_subcommand("export")->help();
  for (const ExportFormat& format : ExportFormats())
    EXPECT_NE(help.find(std::string(format.name) + ": " + format.meaning), std::string::npos) << format.name;
}

TEST(ExportFormats, ReadmeHasTheTable) {
  std::ifstream file("profiler/report/README.md");
  const std::string readme{std::istreambuf_iterator<char>(file), {}};
  std::string table = "| format | what is written |\n|---|---|\n";
  for (const ExportFormat& format : ExportFormats())
    table += "| `" + std::string(format.name) + "` | " + format.meaning + " |\n";
  EXPECT_NE(readme.find(table), std::string::npos) << table;
}

TEST(ExportFormats, EachIsFound) {
  for (const ExportFormat& format : ExportFormats()) EXPECT_EQ(FindExportFormat(format.name), &format);
  EXPECT_EQ(FindExportFormat("vtune"), nullptr);
}

}  // namespace
}  // namespace ompprof::cli
