// Every row of the table of settings is in each text that is made from the table.
#include "profiler/cli/options/setting_text.h"

#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fstream>
#include <iterator>
#include <optional>
#include <regex>
#include <string>

#include "profiler/cli/commands/commands.h"
#include "profiler/cli/manual/manual.h"

namespace ompprof::cli {
namespace {

using config::Setting;
using config::SettingKind;

const Setting& Find(const std::string& variable) {
  for (const Setting& setting : config::Settings()) {
    if (setting.variable == variable) return setting;
  }
  ADD_FAILURE() << variable;
  return config::Settings()[0];
}

// `text` without roff's escapes and fonts.
std::string Plain(const std::string& roff) {
  return std::regex_replace(std::regex_replace(roff, std::regex(R"(\\f[BIR])"), ""), std::regex(R"(\\-)"), "-");
}

class SettingText : public testing::Test {
 protected:
  SettingText() { AddCommands(&app_, std::nullopt, &status_); }

  const CLI::App* record() const { return app_.get_subcommand("record"); }

  CLI::App app_;
  int status_ = 0;
};

TEST_F(SettingText, OptionHelp) {
  EXPECT_EQ(OptionHelp(Find("OMPPROF_MAX_DEPTH")), "Frames to keep of a deep stack (16 to 16384; OMPPROF_MAX_DEPTH)");
  EXPECT_EQ(OptionHelp(Find("OMPPROF_CHILDREN")),
            "Do not profile the processes that the program starts (OMPPROF_CHILDREN=0)");
  EXPECT_EQ(FlagValue(Find("OMPPROF_PAUSED")), "1");
}

TEST_F(SettingText, HelpHasEverySetting) {
  const std::string help = app_.get_subcommand("record")->help();
  const size_t list = help.find("\nEnvironment ");
  ASSERT_NE(list, std::string::npos);
  for (const Setting& setting : config::Settings()) {
    SCOPED_TRACE(setting.variable);
    const size_t option = help.find("\n  " + std::string(setting.option) + " ");
    ASSERT_NE(option, std::string::npos);
    const std::string entry = help.substr(option, help.find("\n  -", option + 1) - option);
    EXPECT_NE(entry.find(OptionHelp(setting)), std::string::npos) << entry;
    if (setting.type.kind != SettingKind::kFlag && !DefaultText(setting).empty()) {
      EXPECT_NE(entry.find("=" + DefaultText(setting)), std::string::npos) << entry;
    }
    const std::regex variable("\n  " + std::string(setting.variable) + " +");
    std::smatch found;
    const std::string variables = help.substr(list);
    ASSERT_TRUE(std::regex_search(variables, found, variable));
    EXPECT_EQ(found.suffix().str().rfind(AcceptedText(setting) + "\n", 0), 0u);
  }
}

TEST_F(SettingText, ThePageHasEverySetting) {
  const std::string page = Plain(ManualPage(app_, record()));
  const size_t environment = page.find("\n.SH ENVIRONMENT\n");
  ASSERT_NE(environment, std::string::npos);
  for (const Setting& setting : config::Settings()) {
    SCOPED_TRACE(setting.variable);
    EXPECT_NE(page.find(OptionHelp(setting)), std::string::npos);
    const std::string entry = std::string("\n.TP\n") + setting.variable + "\n" + LongOption(setting) + ". Accepts " +
                              AcceptedText(setting) +
                              (DefaultText(setting).empty() ? "" : ". Default: " + DefaultText(setting)) + ".\n";
    EXPECT_NE(page.find(entry, environment), std::string::npos) << entry;
    if (setting.type.kind != SettingKind::kFlag && !DefaultText(setting).empty()) {
      EXPECT_NE(page.find("Default: " + DefaultText(setting)), std::string::npos);
    }
    for (const std::string& choice : ChoicesOf(setting)) EXPECT_NE(page.find(choice), std::string::npos) << choice;
  }
  const std::string general = Plain(ManualPage(app_, nullptr));
  for (const config::OtherVariable& variable : config::OtherVariables())
    EXPECT_NE(general.find("\n.TP\n" + std::string(variable.name) + "\n"), std::string::npos) << variable.name;
}

TEST_F(SettingText, CompletionsHaveEverySetting) {
  const std::string bash = BashCompletion(app_);
  const std::string zsh = ZshCompletion(app_);
  const size_t line = bash.find("    record) options=");
  ASSERT_NE(line, std::string::npos);
  const std::string options = bash.substr(line, bash.find('\n', line) - line);
  for (const Setting& setting : config::Settings()) {
    SCOPED_TRACE(setting.variable);
    EXPECT_TRUE(std::regex_search(options, std::regex("[' ]" + LongOption(setting) + "[' ]"))) << options;
    EXPECT_NE(zsh.find(LongOption(setting)), std::string::npos);
    std::string choices;
    for (const std::string& choice : ChoicesOf(setting)) choices += (choices.empty() ? "" : " ") + choice;
    if (choices.empty()) continue;
    EXPECT_NE(bash.find("record:" + LongOption(setting) + ") COMPREPLY=($(compgen -W '" + choices + "'"),
              std::string::npos);
    EXPECT_NE(zsh.find(std::string(":") + setting.placeholder + ":(" + choices + ")"), std::string::npos);
  }
}

TEST_F(SettingText, TheDocumentationIsTheTable) {
  std::ifstream file("profiler/config/README.md");
  const std::string readme{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  ASSERT_NE(readme, "");
  const size_t begin = std::min(readme.find("| variable |"), readme.size());
  EXPECT_EQ(readme.substr(begin), SettingsTable()) << "README.md's tables become:\n" << SettingsTable();
}

}  // namespace
}  // namespace ompprof::cli
