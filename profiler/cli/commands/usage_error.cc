#include "profiler/cli/commands/usage_error.h"

#include <regex>
#include <vector>

#include "profiler/cli/options/command_options.h"
#include "profiler/cli/options/complaint.h"
#include "profiler/cli/options/nearest_name.h"
#include "profiler/cli/record/preload_check.h"

namespace ompprof::cli {
namespace {

bool IsOption(const std::string& word) { return word.size() > 1 && word[0] == '-'; }

const CLI::App* ChosenCommand(const CLI::App& app) {
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  return chosen.empty() ? nullptr : chosen.front();
}

// "record: ", or nothing for ompprof itself.
std::string Beginning(const CLI::App& command) {
  return command.get_parent() == nullptr ? "" : command.get_name() + ": ";
}

std::string HelpOf(const CLI::App& command) {
  return command.get_parent() == nullptr ? "`ompprof help`" : "`ompprof help " + command.get_name() + "`";
}

// The sentence about `words`, which the parser did not expect. `command` is the chosen command; null: none.
std::string Unexpected(const CLI::App& app, const CLI::App* command, const std::vector<std::string>& words) {
  const bool first_is_options = IsOption(words[0]);
  if (command == nullptr) return first_is_options ? NoSuchOption(app, words[0]) : NoSuchCommand(app, words[0]);
  if (!app.remaining(false).empty())
    return words[0] + " stands before the command; options follow it, as in `ompprof " + command->get_name() + " " +
           words[0] + "`";
  if (first_is_options) return NoSuchOption(*command, words[0]);
  return command->get_name() + ": '" + words[0] + "' is one argument too many";
}

// CLI11's sentences in ompprof's words.
std::string InPlainWords(const std::string& sentence) {
  // libstdc++ needs more stack for each character (bug 86164): 100,000 characters end the program.
  constexpr size_t kLongest = 2000;
  if (sentence.size() > kLongest) return sentence.substr(0, kLongest) + "...";
  static const std::regex missing_value("(-[^ ]*): 1 required (.*) missing");
  static const std::regex too_many("(.*): At Most 1 required but received ([0-9]+)");
  static const std::regex no_number("Could not convert: (-[^ ]*) = (.*)");
  static const std::regex required("(.*) is required");
  static const std::regex requires_other("(-.*) requires (-.*)");
  static const std::regex flag_value("(.*) was given a disallowed flag override");
  std::smatch parts;
  if (std::regex_match(sentence, parts, flag_value))
    return (parts.str(1).size() > 1 ? "--" : "-") + parts.str(1) + " takes no value";
  if (std::regex_match(sentence, parts, missing_value)) return parts.str(1) + " needs a value: " + parts.str(2);
  if (std::regex_match(sentence, parts, too_many))
    return parts.str(1) + " is given " + parts.str(2) + " times; give it once";
  if (std::regex_match(sentence, parts, no_number))
    return parts.str(1) + ": '" + parts.str(2) + "' is not a number that it accepts";
  if (std::regex_match(sentence, parts, required)) return parts.str(1) + " is missing";
  if (std::regex_match(sentence, parts, requires_other)) return parts.str(1) + " needs " + parts.str(2);
  return sentence;
}

}  // namespace

std::string NoSuchCommand(const CLI::App& app, const std::string& word) {
  std::vector<std::string> names;
  for (const CLI::App* command : Commands(app)) names.push_back(command->get_name());
  const std::string nearest = NearestName(word, names);
  const std::string sentence = "there is no command '" + word + "'; ";
  if (!nearest.empty()) return sentence + "did you mean '" + nearest + "'?";
  if (FindProgram(word).error == 0) return sentence + "to profile that program: ompprof record " + word;
  return sentence + HelpOf(app) + " lists the commands";
}

std::string NoSuchOption(const CLI::App& command, const std::string& word) {
  const std::string option = word.substr(0, word.find('='));
  std::vector<std::string> names;
  for (const CommandOption& one : OptionsOf(command)) names.insert(names.end(), one.names.begin(), one.names.end());
  const std::string nearest = NearestName(option, names);
  return Beginning(command) + "there is no option " + option +
         (nearest.empty() ? "; " + HelpOf(command) + " lists the options" : "; did you mean " + nearest + "?");
}

void ComplainOfUsage(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App* command = ChosenCommand(app);
  const CLI::App& asked = command != nullptr ? *command : app;
  const std::vector<std::string> unexpected = app.remaining(true);
  // All words of `record` that are not its options are the program's, and are never unexpected.
  const bool is_unexpected =
      !unexpected.empty() && (command == nullptr || command->get_name() != "record" || !app.remaining(false).empty());
  const std::string sentence = is_unexpected        ? Unexpected(app, command, unexpected)
                               : command == nullptr ? "name a command, such as record or report"
                                                    : Beginning(asked) + InPlainWords(error.what());
  Complain(sentence);
  if (sentence.find(HelpOf(asked)) == std::string::npos)
    Complain(HelpOf(asked) + " shows " + (command == nullptr ? "the commands" : "the options"));
}

}  // namespace ompprof::cli
