#include "profiler/cli/commands/commands.h"

#include <memory>
#include <utility>

#include "profiler/cli/options/command_options.h"
#include "profiler/cli/options/help_text.h"
#include "profiler/cli/output/terminal.h"
#include "profiler/config/version.h"

namespace ompprof::cli {
namespace {

constexpr char kExamples[] =
    "Examples:\n"
    "  ompprof record ./stencil 1000             writes ompprof.stencil.HOST.PID.ompprof\n"
    "  ompprof record -F 997 -o run.ompprof -- ./stencil 1000\n"
    "  ompprof report run.ompprof                where the time went\n"
    "  ompprof report --tree --focus relax run.ompprof\n"
    "  ompprof report --blame --locks run.ompprof\n"
    "  ompprof report --advice run.ompprof       what to change\n"
    "  ompprof annotate relax run.ompprof        cost and waits of each of its lines\n"
    "  ompprof top -p PID                        a running recording, live\n"
    "  ompprof diff old.ompprof new.ompprof      changes in speed beyond noise\n"
    "  ompprof scale --threads=1,2,4 -- ./stencil 1000   why more threads do not make it faster\n"
    "  ompprof merge -o all.ompprof run.*.ompprof   many processes or ranks in one file\n"
    "  ompprof info all.ompprof                  the contents of a file\n"
    "  ompprof report --html run.html run.ompprof   all views as a web page\n"
    "  ompprof serve run.ompprof                 a live page while the program runs\n"
    "  ompprof whatif --balance solve.c:12 run.ompprof\n"
    "  ompprof export --format=pprof -o run.pb.gz run.ompprof && go tool pprof -top run.pb.gz\n"
    "  ompprof record --timeline -o run.ompprof -- ./stencil 1000\n"
    "  ompprof export --format=perfetto -o run.json run.ompprof   for ui.perfetto.dev\n";

// CLI11 does not know the terminal's width, nor that the words behind record's options are a program.
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override {
    return FitHelp(CLI::Formatter::make_help(app, std::move(name), mode), StyleOf({}).width);
  }

  std::string make_usage(const CLI::App* app, std::string name) const override {
    std::string usage = CLI::Formatter::make_usage(app, std::move(name));
    if (app->get_name() == "record") usage.insert(usage.find_last_not_of('\n') + 1, " " + ArgumentsOf(*app));
    if (app->get_name() == "scale") usage.insert(usage.find_last_not_of('\n') + 1, " [-- PROGRAM [ARGUMENT...]]");
    return usage;
  }
};

}  // namespace

void AddCommands(CLI::App* app, std::optional<std::vector<std::string>> after_dashes, int* status) {
  app->description("A sampling profiler for OpenMP programs");
  app->name("ompprof");
  app->set_version_flag("-V,--version", std::string("ompprof ") + config::kVersion);
  app->footer(std::string("`ompprof help COMMAND` shows the options of a command.\n\n") + kExamples);
  app->require_subcommand(1);
  app->formatter(std::make_shared<HelpFormatter>());
  AddRecordCommand(app, after_dashes, status);
  AddReportCommand(app, status);
  AddAnnotateCommand(app, status);
  AddTopCommand(app, status);
  AddServeCommand(app, status);
  AddInfoCommand(app, status);
  AddDiffCommand(app, status);
  AddScaleCommand(app, std::move(after_dashes), status);
  AddWhatIfCommand(app, status);
  AddMergeCommand(app, status);
  AddExportCommand(app, status);
  AddHelpCommand(app, status);
  for (CLI::App* command : app->get_subcommands([](CLI::App*) { return true; })) {
    for (CLI::Option* option : command->get_options([](CLI::Option*) { return true; })) {
      if (option->nonpositional() && option->get_items_expected_max() == 0) option->disable_flag_override();
    }
  }
}

}  // namespace ompprof::cli
