#include "profiler/cli/commands/usage_error.h"

#include <optional>
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

// What stands before and behind `middle` in `sentence`, if the sentence begins with `begin` and ends with `end`.
struct Parts {
  std::string first;
  std::string second;
};
std::optional<Parts> PartsOf(const std::string& sentence, const std::string& begin, const std::string& middle,
                             const std::string& end) {
  const size_t at = sentence.rfind(middle);
  if (sentence.rfind(begin, 0) != 0 || at == std::string::npos || at < begin.size()) return std::nullopt;
  const std::string behind = sentence.substr(at + middle.size());
  if (behind.size() < end.size() || behind.compare(behind.size() - end.size(), std::string::npos, end) != 0)
    return std::nullopt;
  return Parts{sentence.substr(begin.size(), at - begin.size()), behind.substr(0, behind.size() - end.size())};
}

// CLI11's sentences in ompprof's words.
std::string InPlainWords(const std::string& sentence) {
  constexpr size_t kLongest = 2000;
  if (sentence.size() > kLongest) return sentence.substr(0, kLongest) + "...";
  if (const auto flag = PartsOf(sentence, "", " was given a disallowed flag override", "");
      flag && flag->second.empty())
    return (flag->first.size() > 1 ? "--" : "-") + flag->first + " takes no value";
  if (const auto valued = PartsOf(sentence, "", ": 1 required ", " missing"); valued && IsOption(valued->first))
    return valued->first + " needs a value: " + valued->second;
  if (const auto given = PartsOf(sentence, "", ": At Most 1 required but received ", ""))
    return given->first + " is given " + given->second + " times; give it once";
  if (const auto number = PartsOf(sentence, "Could not convert: ", " = ", ""))
    return number->first + ": '" + number->second + "' is not a number that it accepts";
  if (const auto absent = PartsOf(sentence, "", " is required", ""); absent && absent->second.empty())
    return absent->first + " is missing";
  if (const auto lone = PartsOf(sentence, "", " requires ", ""); lone && IsOption(lone->first))
    return lone->first + " needs " + lone->second;
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
