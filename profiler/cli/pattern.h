// Regular expressions from the command line.
#ifndef OMPPROF_PROFILER_CLI_PATTERN_H_
#define OMPPROF_PROFILER_CLI_PATTERN_H_

#include <optional>
#include <regex>
#include <string>

#include "profiler/cli/load.h"

namespace ompprof::cli {

// Compiles `pattern`, unless it is empty. False, after a complaint, if `pattern` is no regular expression.
inline bool Compile(const char* option, const std::string& pattern, std::optional<std::regex>* regex) {
  if (pattern.empty()) return true;
  try {
    regex->emplace(pattern, std::regex::ECMAScript | std::regex::optimize);
  } catch (const std::regex_error&) {
    Complain(std::string(option) + ": '" + pattern + "' is not a regular expression");
    return false;
  }
  return true;
}

}  // namespace ompprof::cli

#endif  // OMPPROF_PROFILER_CLI_PATTERN_H_
