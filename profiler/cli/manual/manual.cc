#include "profiler/cli/manual/manual.h"

#include <algorithm>
#include <cctype>

#include "profiler/cli/commands/commands.h"
#include "profiler/cli/manual/reference.h"
#include "profiler/cli/options/command_options.h"
#include "profiler/config/version.h"

namespace ompprof::cli {
namespace {

// Text for roff: without escapes and requests, with hyphens that can be copied.
std::string Roff(const std::string& text) {
  std::string roff;
  bool line_start = true;
  for (const char c : text) {
    if (line_start && (c == '.' || c == '\'')) roff += "\\&";
    if (c == '\\')
      roff += "\\e";
    else if (c == '-')
      roff += "\\-";
    else
      roff += c;
    line_start = c == '\n';
  }
  return roff;
}

// Paragraphs of plain text; an empty line separates two paragraphs.
std::string Paragraphs(const std::string& text) {
  std::string roff;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find("\n\n", begin), text.size());
    roff += (begin == 0 ? "" : ".PP\n") + Roff(text.substr(begin, end - begin)) + "\n";
    begin = end + 2;
  }
  return roff;
}

std::string OptionEntry(const CommandOption& option) {
  std::string roff = ".TP\n";
  for (size_t i = 0; i < option.names.size(); ++i)
    roff += (i == 0 ? "\\fB" : ", \\fB") + Roff(option.names[i]) + "\\fR";
  if (option.takes_value) roff += (option.names.back().size() > 2 ? "=\\fI" : " \\fI") + Roff(option.value) + "\\fR";
  roff += "\n" + Roff(option.help);
  const bool told = std::all_of(option.choices.begin(), option.choices.end(), [&](const std::string& choice) {
    return option.help.find(choice) != std::string::npos;
  });
  if (!told) {
    roff += (option.help.empty() ? "" : ". ") + std::string("One of");
    for (size_t i = 0; i < option.choices.size(); ++i)
      roff += (i == 0 ? " \\fB" : ", \\fB") + Roff(option.choices[i]) + "\\fR";
  }
  if (!option.standard.empty()) roff += ". Default: \\fB" + Roff(option.standard) + "\\fR";
  return roff + "\n";
}

// A section with an entry for each of `entries`. Empty if there are none.
std::string Section(const char* title, const std::string& introduction, const std::vector<ReferenceEntry>& entries) {
  if (entries.empty()) return "";
  std::string roff = std::string(".SH ") + title + "\n" + introduction;
  for (const ReferenceEntry& entry : entries)
    roff += ".TP\n\\fB" + Roff(entry.name) + "\\fR\n" + Roff(entry.meaning) + ".\n";
  return roff;
}

std::string EnvironmentSection(const CLI::App& app, const std::string& command) {
  const std::string introduction =
      command == "record" ? "An option overrides its variable. A program that loads the collector without\n" +
                                Roff(app.get_name() + " record has the variables only.") + "\n"
                          : "";
  std::string section = Section("ENVIRONMENT", introduction, VariablesOf(command));
  if (!command.empty()) return section;
  return section + ".PP\n" + Roff(app.get_name() + "-record(1) has the variables of its options.") + "\n";
}

// A word in single quotes for a shell script.
std::string Quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

// An explanation for zsh's _arguments.
std::string Explanation(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string Joined(const std::vector<std::string>& words, const char* between) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
  return text;
}

bool NamesFile(const CommandOption& option) {
  return option.value.rfind("FILE", 0) == 0 || option.value == "OUT" || option.value == "FOLDER" ||
         option.value == "DIR" || option.value == "PATH";
}

std::vector<std::string> AllNames(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CommandOption& option : OptionsOf(command))
    names.insert(names.end(), option.names.begin(), option.names.end());
  return names;
}

// The branches of a shell's case: a command's options, and the values of options.
struct BashCases {
  std::string options;
  std::string values;
};

BashCases CasesOf(const CLI::App& app) {
  BashCases cases;
  for (const CLI::App* command : Commands(app)) {
    cases.options += "    " + command->get_name() + ") options=" + Quoted(Joined(AllNames(*command), " ")) + " ;;\n";
    std::vector<std::string> files;
    std::vector<std::string> others;
    for (const CommandOption& option : OptionsOf(*command)) {
      std::vector<std::string> patterns;
      for (const std::string& name : option.names) patterns.push_back(command->get_name() + ":" + name);
      if (!option.choices.empty())
        cases.values += "    " + Joined(patterns, "|") + ") COMPREPLY=($(compgen -W " +
                        Quoted(Joined(option.choices, " ")) + " -- \"$current\")); return ;;\n";
      else if (option.takes_value)
        (NamesFile(option) ? files : others).push_back(Joined(patterns, "|"));
    }
    if (!files.empty())
      cases.values += "    " + Joined(files, "|") + ") COMPREPLY=($(compgen -f -- \"$current\")); return ;;\n";
    if (!others.empty()) cases.values += "    " + Joined(others, "|") + ") return ;;\n";
  }
  return cases;
}

std::vector<std::string> CommandNames(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : Commands(app)) names.push_back(command->get_name());
  return names;
}

}  // namespace

std::string ManualPage(const CLI::App& app, const CLI::App* command) {
  const CLI::App& shown = command != nullptr ? *command : app;
  const std::string name = command != nullptr ? app.get_name() + "-" + command->get_name() : app.get_name();
  std::string title = name;
  for (char& c : title) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  std::string page = ".TH " + Roff(title) + " 1 " + kVersionDate + " \"" +
                     Roff(std::string("ompprof ") + config::kVersion) + "\" \"User Commands\"\n";
  page += ".SH NAME\n" + Roff(name) + " \\- " + Roff(shown.get_description()) + "\n";
  page += ".SH SYNOPSIS\n.B " + app.get_name();
  page += command != nullptr ? " " + command->get_name() + "\n[\\fIOPTION\\fR...] " + Roff(ArgumentsOf(shown)) + "\n"
                             : std::string("\n\\fICOMMAND\\fR [\\fIOPTION\\fR...] [\\fIFILE\\fR...]\n");
  if (const std::string remarks = RemarksOf(shown); !remarks.empty()) page += ".SH DESCRIPTION\n" + Paragraphs(remarks);
  if (command == nullptr) {
    page += ".SH COMMANDS\n";
    for (const CLI::App* one : Commands(app))
      page += ".TP\n\\fB" + one->get_name() + "\\fR\n" + Roff(one->get_description()) + "\n";
  }
  page += ".SH OPTIONS\n";
  for (const CommandOption& option : OptionsOf(shown)) page += OptionEntry(option);
  const std::string of = command != nullptr ? command->get_name() : "";
  page +=
      EnvironmentSection(app, of) + Section("FILES", "", FilesOf(of)) + Section("EXIT STATUS", "", ExitStatusesOf(of));
  if (const std::string examples = ExamplesOf(shown); !examples.empty())
    page += ".SH EXAMPLES\n.nf\n" + Roff(examples) + "\n.fi\n";
  std::vector<std::string> others;
  if (command != nullptr) others.push_back("\\fB" + app.get_name() + "\\fR(1)");
  for (const CLI::App* one : Commands(app)) {
    if (one != command) others.push_back("\\fB" + app.get_name() + "\\-" + one->get_name() + "\\fR(1)");
  }
  return page + ".SH SEE ALSO\n" + Joined(others, ",\n") + "\n";
}

std::string BashCompletion(const CLI::App& app) {
  const std::vector<std::string> names = CommandNames(app);
  const BashCases cases = CasesOf(app);
  return "# bash completion for ompprof(1), made from its commands.\n"
         "_ompprof() {\n"
         "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command= program= options= "
         "i\n"
         "  COMPREPLY=()\n"
         "  for ((i = 1; i < COMP_CWORD; ++i)); do\n"
         "    [[ ${COMP_WORDS[i]} == -* ]] && continue\n"
         "    command=${COMP_WORDS[i]}\n"
         "    break\n"
         "  done\n"
         "  if [[ -z $command ]]; then\n"
         "    COMPREPLY=($(compgen -W " +
         Quoted(Joined(names, " ") + " " + Joined(AllNames(app), " ")) +
         " -- \"$current\"))\n"
         "    return\n"
         "  fi\n"
         "  # --option=value comes as three words.\n"
         "  if [[ $current == '=' ]]; then\n"
         "    current=\n"
         "  elif [[ $previous == '=' ]]; then\n"
         "    previous=${COMP_WORDS[COMP_CWORD - 2]}\n"
         "  fi\n"
         "  case $command:$previous in\n" +
         cases.values +
         "  esac\n"
         "  case $command in\n" +
         cases.options +
         "  esac\n"
         "  if [[ $current == -* ]]; then\n"
         "    COMPREPLY=($(compgen -W \"$options\" -- \"$current\"))\n"
         "  elif [[ $command == help ]]; then\n"
         "    COMPREPLY=($(compgen -W " +
         Quoted(Joined(names, " ")) +
         " -- \"$current\"))\n"
         "  elif [[ $command == record ]]; then\n"
         "    COMPREPLY=($(compgen -c -- \"$current\") $(compgen -f -- \"$current\"))\n"
         "  else\n"
         "    COMPREPLY=($(compgen -f -X '!*.ompprof' -- \"$current\") $(compgen -d -- \"$current\"))\n"
         "  fi\n"
         "}\n"
         "complete -o filenames -F _ompprof ompprof\n";
}

std::string ZshCompletion(const CLI::App& app) {
  const auto specification = [](const CommandOption& option) {
    const std::string names = option.names.size() == 1 ? option.names[0] + (option.takes_value ? "=" : "") : "";
    std::string tail = "[" + Explanation(option.help) + "]";
    if (option.takes_value) {
      tail += ":" + Explanation(option.value) + ":";
      if (!option.choices.empty())
        tail += "(" + Joined(option.choices, " ") + ")";
      else if (NamesFile(option))
        tail += "_files";
      else
        tail += " ";
    }
    if (option.names.size() == 1) return Quoted(names + tail);
    // '(-o --output)'{-o+,--output=}'[...]'
    std::vector<std::string> forms;
    for (const std::string& name : option.names)
      forms.push_back(name + (!option.takes_value ? "" : name.size() == 2 ? "+" : "="));
    return Quoted("(" + Joined(option.names, " ") + ")") + "{" + Joined(forms, ",") + "}" + Quoted(tail);
  };
  const std::vector<std::string> names = CommandNames(app);
  std::string commands;
  std::string cases;
  for (const CLI::App* command : Commands(app)) {
    commands += "    " + Quoted(command->get_name() + ":" + command->get_description()) + "\n";
    cases += "    " + command->get_name() + ")\n      _arguments -s";
    for (const CommandOption& option : OptionsOf(*command)) cases += " \\\n        " + specification(option);
    if (command->get_name() == "record")
      cases += " \\\n        '(-)1:program:_command_names -e' '*::arguments:_normal'";
    else if (command->get_name() == "help")
      cases += " \\\n        '1:command:(" + Joined(names, " ") + ")'";
    else if (!ArgumentsOf(*command).empty())
      cases += " \\\n        '*:profile:_files -g \"*.ompprof(-.)\"'";
    cases += "\n      ;;\n";
  }
  std::string general;
  for (const CommandOption& option : OptionsOf(app)) general += " \\\n    " + specification(option);
  return "#compdef ompprof\n"
         "# zsh completion for ompprof(1), made from its commands.\n"
         "local context state state_descr line\n"
         "typeset -A opt_args\n"
         "local -a commands=(\n" +
         commands +
         ")\n"
         "_arguments -C" +
         general +
         " \\\n    '1:command:->command' '*::argument:->argument'\n"
         "case $state in\n"
         "  command) _describe 'command' commands ;;\n"
         "  argument)\n"
         "    case $words[1] in\n" +
         cases +
         "    esac\n"
         "    ;;\n"
         "esac\n";
}

}  // namespace ompprof::cli
