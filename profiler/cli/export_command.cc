#include "profiler/cli/export_command.h"

#include <unistd.h>

#include <memory>
#include <string>
#include <vector>

#include "profiler/analyze/fold_paths.h"
#include "profiler/cli/effects.h"
#include "profiler/cli/load.h"
#include "profiler/cli/values.h"
#include "profiler/report/csv_report.h"
#include "profiler/report/folded.h"
#include "profiler/report/pprof.h"
#include "profiler/report/speedscope.h"
#include "profiler/report/trace_event.h"
#include "profiler/report/units.h"

namespace ompprof::cli {
namespace {

struct Options {
  std::vector<std::string> files;
  std::string format;
  std::string view = "user";
  std::string output = "-";
  bool by_phase = false;
  bool fold = false;
};

// Complains of profiles without a timeline. False if no profile has one.
bool HasTimeline(const analyze::View& view) {
  bool any = false;
  for (const analyze::ProcessFacts& process : view.run.processes) {
    any |= process.sampling.timeline;
    if (!process.sampling.timeline)
      Complain(process.file + ": has no timeline; record the program with `ompprof record --timeline`");
  }
  return any;
}

std::string Export(const Options& options, const Loaded& loaded) {
  if (options.format == "folded") return report::Folded(loaded.view, options.by_phase);
  if (options.format == "speedscope") return report::Speedscope(loaded.view);
  if (options.format == "perfetto") return report::TraceEvents(loaded.view);
  if (options.format == "csv-functions") return report::CsvFunctions(loaded.view, loaded.symbolizer);
  if (options.format == "csv-regions") return report::CsvRegions(loaded.view);
  return report::Pprof(loaded.view, loaded.symbolizer);
}

int Run(const CLI::App& command, const Options& options) {
  if (!AllHaveEffect(command, {{"--by-phase", options.format == "folded", "without --format=folded"}})) return kUsage;
  if (options.format == "pprof" && options.output == "-" && isatty(STDOUT_FILENO)) {
    Complain("a pprof file is not text: name a file with -o, or send the output through a pipe");
    return kUsage;
  }
  if (options.fold && options.format != "pprof" && options.format != "folded" && options.format != "speedscope") {
    Complain("--fold goes with --format=pprof, folded or speedscope; --format=" + options.format +
             " has no call paths");
    return kUsage;
  }
  if (IsInput(options.output, options.files)) return kUsage;
  Loaded loaded;
  const analyze::ViewKind kind = options.view == "machine" ? analyze::ViewKind::kMachine : analyze::ViewKind::kUser;
  const int status = Load(options.files, kind, &loaded);
  if (loaded.view.run.empty()) return status;
  if (options.format == "perfetto" && !HasTimeline(loaded.view)) return kFailure;
  if (options.fold) analyze::FoldPaths(&loaded.view);
  std::string bytes = Export(options, loaded);
  // JSON has no characters that a terminal would obey.
  if (options.output == "-" && options.format != "pprof" && isatty(STDOUT_FILENO))
    bytes = report::PrintableLines(bytes);
  const int written = WriteOutput(options.output, bytes);
  return written != kSuccess ? written : status;
}

}  // namespace

void AddExportCommand(CLI::App* app, int* status) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app->add_subcommand("export", "Write one or several profiles in another tool's format");
  command->footer(
      "Examples:\n"
      "  ompprof export --format=pprof -o run.pb.gz run.ompprof && go tool pprof -http=: run.pb.gz\n"
      "  ompprof export --format=folded run.ompprof | flamegraph.pl > run.svg\n"
      "  ompprof export --format=perfetto -o run.json run.ompprof       from a run recorded with --timeline");
  command->add_option("FILE", options->files, "Profiles that `ompprof record` wrote")->required();
  command
      ->add_option(
          "--format", options->format,
          "pprof: gzipped profile.proto; folded: one line for each stack; speedscope: JSON for speedscope.app, a "
          "profile for each thread; perfetto: JSON for ui.perfetto.dev and chrome://tracing, from a run recorded "
          "with --timeline; csv-functions, csv-regions: a table for data frames")
      ->required()
      ->check(OneOf({"pprof", "folded", "speedscope", "perfetto", "csv-functions", "csv-regions"}));
  command->add_flag("--by-phase", options->by_phase,
                    "With --format=folded: begin each stack with its phase (ompprof_push_label)");
  command->add_flag("--fold", options->fold,
                    "With --format=pprof, folded or speedscope: a call path has each function of a recursion once");
  command->add_option("-o,--output", options->output, "File to write; - is standard output")
      ->type_name("OUT")
      ->capture_default_str();
  command
      ->add_option("--view", options->view,
                   "user: the program as written, with workers' call paths below the code that created their region; "
                   "machine: the "
                   "stacks as the machine had them")
      ->check(OneOf({"user", "machine"}))
      ->capture_default_str();
  command->callback([command, options, status] { *status = Run(*command, *options); });
}

}  // namespace ompprof::cli
