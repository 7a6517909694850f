#include "profiler/cli/options/command_options.h"

#include <algorithm>

namespace ompprof::cli {
namespace {

constexpr char kExamplesHeading[] = "Examples:\n";

// The choices of "TEXT:{text,json}".
std::vector<std::string> Choices(const std::string& type) {
  const size_t open = type.find('{');
  const size_t end = type.find('}', open == std::string::npos ? 0 : open);
  if (open == std::string::npos || end == std::string::npos) return {};
  return CLI::detail::split(type.substr(open + 1, end - open - 1), ',');
}

}  // namespace

std::vector<const CLI::App*> Commands(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* command) { return !command->get_group().empty(); });
}

std::vector<CommandOption> OptionsOf(const CLI::App& command) {
  std::vector<CommandOption> options;
  for (const CLI::Option* option : command.get_options()) {
    if (!option->nonpositional() || option->get_group().empty()) continue;
    CommandOption described;
    for (const std::string& name : option->get_snames()) described.names.push_back("-" + name);
    for (const std::string& name : option->get_lnames()) described.names.push_back("--" + name);
    described.takes_value = option->get_items_expected_max() > 0;
    if (described.takes_value) {
      const std::string type = option->get_type_name();
      described.choices = Choices(type);
      // CLI11 writes a range behind the name: "FLOAT:FLOAT in [0 - 100]".
      described.value = type.substr(0, type.find(':'));
      if (described.value == "TEXT" || described.value == "UINT" || described.value == "FLOAT")
        described.value = "VALUE";
      described.standard = option->get_default_str();
    }
    described.help = option->get_description();
    options.push_back(described);
  }
  return options;
}

std::string ArgumentsOf(const CLI::App& command) {
  if (command.get_name() == "record") return "[--] PROGRAM [ARGUMENT...]";
  std::string text;
  for (const CLI::Option* option : command.get_options()) {
    if (option->nonpositional()) continue;
    std::string name = option->get_name(true);
    if (option->get_items_expected_max() > 1) name += "...";
    text += (text.empty() ? "" : " ") + (option->get_required() ? name : "[" + name + "]");
  }
  return command.get_name() == "scale" ? text + " [-- PROGRAM [ARGUMENT...]]" : text;
}

std::string RemarksOf(const CLI::App& command) {
  const std::string footer = command.get_footer();
  std::string remarks = footer.substr(0, std::min(footer.find(kEnvironmentHeading), footer.find(kExamplesHeading)));
  remarks.erase(remarks.find_last_not_of(" \n") + 1);
  return remarks;
}

std::string ExamplesOf(const CLI::App& command) {
  const std::string footer = command.get_footer();
  const size_t at = footer.find(kExamplesHeading);
  if (at == std::string::npos) return "";
  std::string examples = footer.substr(at + sizeof kExamplesHeading - 1);
  examples.erase(examples.find_last_not_of(" \n") + 1);
  return examples;
}

}  // namespace ompprof::cli
