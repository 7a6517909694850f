#include "profiler/cli/commands/commands.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "profiler/cli/commands/usage_error.h"
#include "profiler/cli/files/load.h"
#include "profiler/cli/options/command_options.h"
#include "profiler/cli/options/complaint.h"

namespace ompprof::cli {
namespace {

int Run(const CLI::App& app, const std::string& name) {
  std::string text;
  if (name.empty()) {
    text = app.get_formatter()->make_help(&app, app.get_name(), CLI::AppFormatMode::Normal);
  } else {
    const std::vector<const CLI::App*> commands = Commands(app);
    const auto found = std::find_if(commands.begin(), commands.end(),
                                    [&name](const CLI::App* command) { return command->get_name() == name; });
    if (found == commands.end()) {
      Complain(NoSuchCommand(app, name));
      return kUsage;
    }
    text = (*found)->get_formatter()->make_help(*found, app.get_name() + " " + name, CLI::AppFormatMode::Normal);
  }
  return WriteOutput("-", text);
}

}  // namespace

void AddHelpCommand(CLI::App* app, int* status) {
  auto name = std::make_shared<std::string>();
  CLI::App* command = app->add_subcommand("help", "Show the commands, or the options of a command");
  command->add_option("COMMAND", *name, "Command to explain, as its --help does; without it, the commands are listed")
      ->type_name("");
  command->footer(
      "Examples:\n"
      "  ompprof help                              the commands\n"
      "  ompprof help record                       the options of record, and their variables");
  command->callback([app, name, status] { *status = Run(*app, *name); });
}

}  // namespace ompprof::cli
