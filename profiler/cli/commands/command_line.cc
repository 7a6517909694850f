#include "profiler/cli/commands/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "profiler/cli/commands/commands.h"
#include "profiler/cli/commands/usage_error.h"
#include "profiler/cli/options/complaint.h"

namespace ompprof::cli {

int RunCommandLine(int argc, char** argv) {
  CLI::App app;
  int status = kSuccess;

  std::vector<std::string> words(argv + 1, argv + argc);
  std::optional<std::vector<std::string>> after_dashes;
  const auto dashes = std::find(words.begin(), words.end(), "--");
  const bool runs_program = !words.empty() && (words[0] == "record" || words[0] == "scale");
  if (runs_program && dashes != words.end()) {
    after_dashes.emplace(dashes + 1, words.end());
    words.erase(dashes, words.end());
  }
  std::reverse(words.begin(), words.end());  // as CLI11 takes them

  AddCommands(&app, std::move(after_dashes), &status);
  try {
    app.parse(std::move(words));
  } catch (const CLI::Success& wanted) {  // --help, --version
    return app.exit(wanted);
  } catch (const CLI::ParseError& error) {
    ComplainOfUsage(app, error);
    return kUsage;
  }
  return status;
}

}  // namespace ompprof::cli
