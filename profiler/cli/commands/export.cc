#include "profiler/cli/commands/commands.h"

#include <unistd.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "profiler/analyze/view/fold_paths.h"
#include "profiler/cli/files/load.h"
#include "profiler/cli/files/name_cache.h"
#include "profiler/cli/files/newest_run.h"
#include "profiler/cli/files/profile_files.h"
#include "profiler/cli/options/complaint.h"
#include "profiler/cli/options/effects.h"
#include "profiler/cli/options/selection_options.h"
#include "profiler/cli/options/values.h"
#include "profiler/cli/output/export_formats.h"
#include "profiler/cli/output/export_output.h"
#include "profiler/cli/output/replaceable.h"

namespace ompprof::cli {
namespace {

struct ExportArguments {
  std::vector<std::string> files;
  std::string format;
  std::string view = "user";
  std::string output = "-";
  bool force = false;
  bool by_phase = false;
  bool fold = false;
  analyze::Selection selection;
  bool no_cache = false;
  bool all_runs = false;
};

// Complains of profiles without a timeline. False if no profile has one.
bool HasTimeline(const analyze::View& view) {
  bool any = false;
  for (const analyze::ProcessFacts& process : view.run.processes) {
    any |= process.sampling.timeline;
    if (process.sampling.timeline) continue;
    Complain(process.file +
             (process.members > 1
                  ? ": is a unified job, which keeps no events in time; export the profile of one of its "
                    "processes, recorded with `ompprof record --timeline`"
                  : ": has no timeline; record the program with `ompprof record --timeline`"));
  }
  return any;
}

int Write(const ExportArguments& options, const ExportFormat& format, const Loaded& loaded) {
  ExportOutput output;
  model::Status written =
      format.write_folder != nullptr ? format.write_folder(loaded, options.output) : output.Open(options.output);
  if (written.ok() && format.write != nullptr) {
    format.write(loaded, options.by_phase, [&output](std::string_view piece) { output.Write(piece); });
    written = output.Finish();
  }
  if (written.ok()) return kSuccess;
  Complain(written.sentence());
  return kFailure;
}

int Run(const CLI::App& command, const ExportArguments& options) {
  const bool regions = options.format == "csv-regions";
  const char* const whole = "with --format=csv-regions: a region's figures are of all its phases and threads together";
  if (!AllHaveEffect(command, {{"--by-phase", options.format == "folded", "without --format=folded"},
                               {"--phase", !regions, whole},
                               {"--thread", !regions, whole}}))
    return kUsage;
  const ExportFormat& format = *FindExportFormat(options.format);
  if (!format.is_text && options.output == "-" && isatty(STDOUT_FILENO)) {
    Complain("a " + options.format + " file is not text: name a file with -o, or send the output through a pipe");
    return kUsage;
  }
  if (format.write_folder != nullptr && options.output == "-") {
    Complain("--format=" + options.format + " writes a folder: name a new one with -o");
    return kUsage;
  }
  if (options.fold && !format.has_paths) {
    Complain("--fold goes with --format=" + FormatsWithPaths() + "; --format=" + options.format + " has no call paths");
    return kUsage;
  }
  if (IsInput(options.output, options.files) || !MayReplace(options.output, format.own, options.force)) return kUsage;
  Loaded loaded(OpenCache(options.no_cache));
  const analyze::ViewKind kind = options.view == "machine" ? analyze::ViewKind::kMachine : analyze::ViewKind::kUser;
  const model::Timeline timeline = format.time == FormatTime::kNone ? model::Timeline::kDrop : model::Timeline::kKeep;
  LoadRequest request = {kind, timeline};
  request.all_runs = options.all_runs;
  request.selection = options.selection;
  request.job_serves = format.time != FormatTime::kNeeded;
  const int status = Load(options.files, request, &loaded);
  if (loaded.view.run.empty()) return status;
  if (format.time == FormatTime::kNeeded && !HasTimeline(loaded.view)) return kFailure;
  if (options.fold) analyze::FoldPaths(&loaded.view);
  const int written = Write(options, format, loaded);
  return written != kSuccess ? written : status;
}

std::vector<std::string> FormatNames() {
  std::vector<std::string> names;
  for (const ExportFormat& format : ExportFormats()) names.emplace_back(format.name);
  return names;
}

}  // namespace

void AddExportCommand(CLI::App* app, int* status) {
  auto options = std::make_shared<ExportArguments>();
  CLI::App* command = app->add_subcommand("export", "Write one or several profiles in another tool's format");
  command->footer(
      "Examples:\n"
      "  ompprof export --format=pprof -o run.pb.gz run.ompprof && go tool pprof -http=: run.pb.gz\n"
      "  ompprof export --format=folded run.ompprof | flamegraph.pl > run.svg\n"
      "  ompprof export --format=callgrind -o callgrind.out.run run.ompprof && kcachegrind callgrind.out.run\n"
      "  ompprof export --format=perfetto -o run.json run.ompprof       from a run recorded with --timeline");
  command->add_option("FILE", options->files, kFilesHelp)->required();
  command->add_option("--format", options->format, ExportFormatsHelp())->required()->check(OneOf(FormatNames()));
  command->add_flag("--by-phase", options->by_phase,
                    "With --format=folded: begin each stack with its phase (ompprof_push_label)");
  command->add_flag("--fold", options->fold,
                    "With --format=" + FormatsWithPaths() + ": a call path has each function of a recursion once");
  command->add_flag("--force", options->force, kForceHelp);
  command
      ->add_option("-o,--output", options->output,
                   "File to write; - is standard output; with --format=otf2, a folder to make")
      ->type_name("OUT")
      ->capture_default_str();
  command
      ->add_option("--view", options->view,
                   "user: the program as written, with workers' call paths below the code that created their region; "
                   "machine: the "
                   "stacks as the machine had them")
      ->check(OneOf({"user", "machine"}))
      ->capture_default_str();
  AddSelectionOptions(command, &options->selection);
  AddCacheOption(command, &options->no_cache);
  AddAllRunsOption(command, &options->all_runs);
  command->callback([command, options, status] { *status = Run(*command, *options); });
}

}  // namespace ompprof::cli
