// ompprof: a sampling profiler for OpenMP programs.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "profiler/cli/annotate_command.h"
#include "profiler/cli/export_command.h"
#include "profiler/cli/info_command.h"
#include "profiler/cli/load.h"
#include "profiler/cli/merge_command.h"
#include "profiler/cli/record_command.h"
#include "profiler/cli/report_command.h"
#include "profiler/cli/serve_command.h"
#include "profiler/cli/what_if_command.h"

namespace {

constexpr char kVersion[] = "ompprof 0.1.0";

constexpr char kExamples[] =
    "Examples:\n"
    "  ompprof record ./stencil 1000             run it, write stencil.HOST.PID.ompprof\n"
    "  ompprof record -F 997 -o run.ompprof -- ./stencil 1000\n"
    "  ompprof report run.ompprof                where the time went\n"
    "  ompprof report --tree --focus relax run.ompprof\n"
    "  ompprof report --blame --locks run.ompprof\n"
    "  ompprof report --advice run.ompprof       what to change\n"
    "  ompprof annotate relax run.ompprof        its lines, with what each costs and waits\n"
    "  ompprof merge -o all.ompprof run.*.ompprof   many processes or ranks in one file\n"
    "  ompprof info all.ompprof                  what it holds\n"
    "  ompprof report --html run.html run.ompprof   all of it as a web page\n"
    "  ompprof serve run.ompprof                 the page, live while the program runs\n"
    "  ompprof whatif --balance solve.c:12 run.ompprof\n"
    "  ompprof export --format=pprof -o run.pb.gz run.ompprof && go tool pprof -top run.pb.gz\n"
    "  ompprof record --timeline -o run.ompprof -- ./stencil 1000\n"
    "  ompprof export --format=perfetto -o run.json run.ompprof   for ui.perfetto.dev\n";

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("A sampling profiler for OpenMP programs", "ompprof");
  app.set_version_flag("--version", kVersion);
  app.footer(kExamples);
  app.require_subcommand(1);
  int status = ompprof::cli::kSuccess;

  std::vector<std::string> words(argv + 1, argv + argc);
  std::optional<std::vector<std::string>> after_dashes;
  const auto dashes = std::find(words.begin(), words.end(), "--");
  if (!words.empty() && words[0] == "record" && dashes != words.end()) {
    after_dashes.emplace(dashes + 1, words.end());
    words.erase(dashes, words.end());
  }
  std::reverse(words.begin(), words.end());  // as CLI11 takes them

  ompprof::cli::AddRecordCommand(&app, after_dashes, &status);
  ompprof::cli::AddReportCommand(&app, &status);
  ompprof::cli::AddAnnotateCommand(&app, &status);
  ompprof::cli::AddServeCommand(&app, &status);
  ompprof::cli::AddExportCommand(&app, &status);
  ompprof::cli::AddWhatIfCommand(&app, &status);
  ompprof::cli::AddMergeCommand(&app, &status);
  ompprof::cli::AddInfoCommand(&app, &status);
  try {
    app.parse(std::move(words));
  } catch (const CLI::Success& wanted) {  // --help, --version
    return app.exit(wanted);
  } catch (const CLI::ParseError& error) {
    ompprof::cli::Complain(error.what());
    ompprof::cli::Complain("`ompprof --help` and `ompprof COMMAND --help` say how");
    return ompprof::cli::kUsage;
  }
  return status;
}
