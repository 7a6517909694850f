#include "profiler/cli/options/setting_text.h"

#include <algorithm>

#include "profiler/config/perf_events.h"
#include "profiler/config/setting_value.h"

namespace ompprof::cli {
namespace {

using config::Setting;
using config::SettingKind;

constexpr size_t kLongestText = 1024;  // of the texts that config writes

bool IsFlag(const Setting& setting) { return setting.type.kind == SettingKind::kFlag; }

std::string LimitsText(const Setting& setting) {
  char text[kLongestText];
  config::LimitsText(setting, text, sizeof text);
  return text;
}

// "cpu: each thread's CPU time; wall: ..."
std::string MeaningsOf(const Setting& setting) {
  std::string text;
  for (const config::SettingWord& word : setting.type.words)
    text += (text.empty() ? "" : "; ") + std::string(word.text) + ": " + word.meaning;
  return text;
}

// The help sentence, and the meanings of the words behind it.
std::string Meaning(const Setting& setting) {
  const std::string words = MeaningsOf(setting);
  return setting.help + (words.empty() ? "" : ". " + words);
}

std::string Code(const std::string& text) { return text.empty() ? "" : "`" + text + "`"; }

// All names of an option, each in backquotes.
std::string OptionNames(const Setting& setting) {
  std::string names = setting.option;
  const size_t comma = names.find(',');
  if (comma == std::string::npos) return Code(names);
  return Code(names.substr(0, comma)) + ", " + Code(names.substr(comma + 1));
}

}  // namespace

std::string LongOption(const Setting& setting) {
  const std::string names = setting.option;
  return names.substr(names.find("--"));
}

std::string FlagValue(const Setting& setting) { return DefaultText(setting) == "0" ? "1" : "0"; }

std::vector<std::string> ChoicesOf(const Setting& setting) {
  std::vector<std::string> choices;
  for (const config::SettingWord& word : setting.type.words) choices.push_back(word.text);
  if (setting.type.kind == SettingKind::kEvent) {
    for (const config::PerfEvent& event : config::PerfEvents()) choices.push_back(event.name);
  }
  return choices;
}

std::string DefaultText(const Setting& setting) {
  char text[kLongestText];
  config::ValueText(setting, config::Config(), text, sizeof text);
  return text;
}

std::string AcceptedText(const Setting& setting) {
  char text[kLongestText];
  config::AcceptedText(setting, text, sizeof text);
  return text;
}

std::string OptionHelp(const Setting& setting) {
  const std::string limits = LimitsText(setting);
  const std::string variable = setting.variable + (IsFlag(setting) ? "=" + FlagValue(setting) : "");
  return Meaning(setting) + " (" + limits + (limits.empty() ? "" : "; ") + variable + ")";
}

std::string EnvironmentHelp() {
  size_t width = 0;
  for (const Setting& setting : config::Settings()) width = std::max(width, std::string(setting.variable).size());
  std::string text;
  for (const Setting& setting : config::Settings()) {
    std::string variable = setting.variable;
    variable.resize(width + 2, ' ');
    text += "  " + variable + AcceptedText(setting) + "\n";
  }
  return text;
}

std::string SettingsTable() {
  std::string text =
      "| variable | option of `ompprof record` | accepts | default | meaning of the option |\n"
      "|---|---|---|---|---|\n";
  for (const Setting& setting : config::Settings()) {
    text += "| " + Code(setting.variable) + " | " + OptionNames(setting) +
            (IsFlag(setting) ? " (" + Code(FlagValue(setting)) + ")" : "") + " | " + AcceptedText(setting) + " | " +
            Code(DefaultText(setting)) + " | " + Meaning(setting) + " |\n";
  }
  text += "\n| variable that is no option's | meaning |\n|---|---|\n";
  for (const config::OtherVariable& variable : config::OtherVariables())
    text += "| " + Code(variable.name) + " | " + variable.help + " |\n";
  return text;
}

}  // namespace ompprof::cli
