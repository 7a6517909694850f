#include "profiler/cli/commands/commands.h"

#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "profiler/analyze/compare/diff.h"
#include "profiler/cli/files/baseline.h"
#include "profiler/cli/files/name_cache.h"
#include "profiler/cli/files/runs.h"
#include "profiler/cli/options/complaint.h"
#include "profiler/cli/options/effects.h"
#include "profiler/cli/options/values.h"
#include "profiler/cli/output/terminal.h"
#include "profiler/report/diff/diff.h"
#include "profiler/report/diff/diff_gate.h"
#include "profiler/report/sections/recording.h"

namespace ompprof::cli {
namespace {

// The exit status for "slower".
constexpr int kRegression = 3;

constexpr char kFooter[] =
    "diff compares functions by name and file, and regions by function and order. Sampled figures have a 95 %\n"
    "interval. Chance alone shows a change beyond noise in one of twenty tables. Files of one side from one\n"
    "`ompprof record`, one MPI job, or of overlapping times are one run. Other files are further runs: diff "
    "compares\n"
    "the means of the runs, and the differences between runs count as noise.\n"
    "\n"
    "A baseline is a folder with copies of profiles, .ompprof/baselines/NAME. Commands that read a folder leave out\n"
    ".ompprof in it.\n"
    "\n"
    "--format=junit has a test case for each figure that --fail-on-regression tests, and a failure for each "
    "regression.\n"
    "--format=github has an error for each regression, and a warning for each other such figure that became slower\n"
    "beyond noise. GitHub shows ten of each in a step.\n"
    "\n"
    "Exit status: 0; 1 if a file could not be read; 3 if --fail-on-regression finds something slower.\n"
    "\n"
    "Examples:\n"
    "  ompprof diff old.ompprof new.ompprof\n"
    "  ompprof diff --before old.*.ompprof --after new.*.ompprof      several runs of each\n"
    "  ompprof diff old new                                           two folders of profiles\n"
    "  ompprof diff --fail-on-regression=5 base.ompprof this.ompprof  for a continuous integration\n"
    "  ompprof diff --save-baseline main runs         copies of the profiles in this folder\n"
    "  ompprof diff --baseline main --fail-on-regression=5 --format=junit this > diff.xml";

struct DiffArguments {
  std::vector<std::string> files;
  std::vector<std::string> before;
  std::vector<std::string> after;
  std::string format = "text";
  double percent = -1;
  bool no_cache = false;
  std::string baseline;       // to compare with; empty: none
  std::string save_baseline;  // to save; empty: compare
  std::string baseline_folder = kBaselineFolder;
  bool force = false;  // replace a baseline
  report::DiffTextOptions text;
  OutputOptions output;
};

struct Side {
  std::vector<analyze::RunFigures> runs;
  RunsRead read;
  std::string label;  // the side's name for a person
};

// Reads and measures a side. False if no file of it can be read.
bool Measure(const std::vector<std::string>& files, const std::shared_ptr<model::SymbolCache>& cache, Side* side,
             int* status) {
  std::string command;
  ReadRuns(files, cache, &side->read, status, [&](const analyze::View& view, const model::Symbolizer&) {
    if (command.empty()) command = report::CommandLine(view.run.first());
    side->runs.push_back(analyze::MeasureRun(view));
  });
  const size_t runs = side->runs.size();
  if (runs == 0) return false;
  side->label = files[0] + (files.size() > 1 ? " and " + std::to_string(files.size() - 1) + " more" : "") + ": " +
                command + ", " + std::to_string(runs) + (runs == 1 ? " run" : " runs");
  if (side->read.processes > runs) side->label += " of " + std::to_string(side->read.processes) + " processes in all";
  return true;
}

// The comparison in the format that the user asked for.
std::string Written(const DiffArguments& options, const analyze::Diff& diff, const Side& before, const Side& after,
                    const std::vector<analyze::GatedFigure>& figures) {
  const bool nanoseconds = before.read.unit != "events";
  if (options.format == "json") return report::DiffJson(diff, before.read.unit, analyze::RegressionsOf(figures));
  if (options.format == "text") {
    report::DiffTextOptions text = options.text;
    text.nanoseconds = nanoseconds;
    text.style = StyleOf(options.output);
    text.measured = before.read.measured;
    return report::DiffText(diff, before.label, after.label, text);
  }
  report::DiffGateOptions gate;
  gate.percent = options.percent;
  gate.nanoseconds = nanoseconds;
  gate.measured = before.read.measured;
  gate.before = before.label;
  gate.after = after.label;
  if (options.format == "junit") return report::DiffJunit(figures, gate);
  std::error_code ignored;
  gate.folder = std::filesystem::current_path(ignored).string();
  return report::DiffGithub(figures, gate);
}

// Reads and compares both sides, and prints the comparison. Returns the exit status.
int CompareSides(const DiffArguments& options) {
  int status = kSuccess;
  Side before;
  Side after;
  const std::shared_ptr<model::SymbolCache> cache = OpenCache(options.no_cache);
  const bool read = Measure(options.before, cache, &before, &status);
  after.read.measured = before.read.measured;
  after.read.warnings = before.read.warnings;
  if (!Measure(options.after, cache, &after, &status) || !read) return kFailure;

  const analyze::Diff diff = analyze::Compare(before.runs, after.runs);
  const double percent = options.percent < 0 ? std::numeric_limits<double>::infinity() : options.percent;
  const std::vector<analyze::GatedFigure> figures = analyze::TestFigures(diff, percent, before.read.measured);
  const std::string text = Written(options, diff, before, after, figures);
  OutputOptions output = options.output;
  output.no_pager |= options.format != "text";
  if (const int printed = Print(text, output); printed != kSuccess) return printed;
  const std::vector<analyze::GatedFigure> regressions = analyze::RegressionsOf(figures);
  for (const analyze::GatedFigure& regression : regressions) {
    Complain("slower beyond noise and by more than " + CLI::detail::to_string(options.percent) +
             " %: " + regression.What() + " " + report::SignedPercent(regression.difference));
  }
  return status != kSuccess ? status : regressions.empty() ? kSuccess : kRegression;
}

// The options that have an effect on some comparisons only.
std::vector<Effect> Effects(const DiffArguments& options) {
  const bool text = options.format == "text";
  const std::string all = "with --format=" + options.format + ", which has ";
  const bool saves = !options.save_baseline.empty();
  std::vector<Effect> effects = {{"--limit", text, all + "all rows"}, {"--full-names", text, all + "the full names"}};
  effects.push_back({"--force", saves, "without --save-baseline"});
  effects.push_back({"--baseline-folder", saves || !options.baseline.empty(), "without --baseline or --save-baseline"});
  for (const char* option : {"--baseline", "--before", "--after", "--fail-on-regression", "--limit", "--full-names",
                             "--format", "--no-cache"})
    effects.push_back({option, !saves, "with --save-baseline, which compares nothing"});
  return effects;
}

// Sorts the FILE arguments into the sides. kSuccess, or an exit status after a complaint.
int FindSides(DiffArguments* options) {
  if (!options->baseline.empty()) {
    std::vector<std::string>& after = options->after;
    if (!options->before.empty() || options->files.empty() == after.empty()) {
      Complain("diff: with --baseline, name the profiles to compare with it: ompprof diff --baseline NAME FILE...");
      return kUsage;
    }
    if (after.empty()) after.swap(options->files);
    options->before = {FindBaseline(options->baseline_folder, options->baseline)};
    return options->before[0].empty() ? kUsage : kSuccess;
  }
  if (options->before.empty() && options->after.empty() && options->files.size() == 2) {
    options->before = {options->files[0]};
    options->after = {options->files[1]};
    options->files.clear();
  }
  if (options->files.empty() && !options->before.empty() && !options->after.empty()) return kSuccess;
  Complain("diff: name two profiles, BEFORE and AFTER; or name several, as --before FILE... --after FILE...");
  return kUsage;
}

int Run(const CLI::App& command, DiffArguments options) {
  if (!AllHaveEffect(command, Effects(options))) return kUsage;
  if (!options.save_baseline.empty()) {
    if (!options.files.empty())
      return SaveBaseline(options.baseline_folder, options.save_baseline, options.files, options.force);
    Complain("diff: name the profiles to save: ompprof diff --save-baseline NAME FILE...");
    return kUsage;
  }
  if (options.text.limit == 0) options.text.limit = std::numeric_limits<size_t>::max();
  const int wrong = FindSides(&options);
  return wrong != kSuccess ? wrong : CompareSides(options);
}

void AddBaselineOptions(CLI::App* command, DiffArguments* options) {
  command
      ->add_option("--baseline", options->baseline,
                   "Compare with the profiles that --save-baseline saved under this name (default: none)")
      ->type_name("NAME");
  command
      ->add_option("--save-baseline", options->save_baseline,
                   "Copy the profiles FILE... into a baseline, and compare nothing (default: compare)")
      ->type_name("NAME");
  command->add_option("--baseline-folder", options->baseline_folder, "Folder of the baselines, a folder for each name")
      ->type_name("DIR")
      ->capture_default_str();
  command->add_flag("--force", options->force, "With --save-baseline, replace an earlier baseline of that name");
}

}  // namespace

void AddDiffCommand(CLI::App* app, int* status) {
  auto options = std::make_shared<DiffArguments>();
  CLI::App* command = app->add_subcommand("diff", "Show changes in speed, and which changes are beyond noise");
  command->footer(kFooter);
  command
      ->add_option("FILE", options->files,
                   "The profiles before and after: BEFORE AFTER. A folder stands for the profiles in it")
      ->type_name("");
  command->add_option("--before", options->before, "Profiles from before the change (default: the first FILE)")
      ->type_name("FILE...");
  command->add_option("--after", options->after, "Profiles from after the change (default: the second FILE)")
      ->type_name("FILE...");
  command
      ->add_option("--fail-on-regression", options->percent,
                   "Exit with status 3 if something became slower beyond noise and by more than PERCENT: the run, or a "
                   "function or region with at least 1 % of the run (default: no such status)")
      ->type_name("PERCENT")
      ->check(Between(0, 1e6));
  command->add_option("--limit", options->text.limit, "Rows of each table; 0: all rows")
      ->type_name("N")
      ->check(Whole())
      ->capture_default_str();
  command->add_flag("--full-names", options->text.full_names, "C++ names with parameters and template arguments");
  command
      ->add_option(
          "--format", options->format,
          "text; json; junit: an XML file of tests, with a failure for each regression; github: annotations of "
          "GitHub Actions")
      ->check(OneOf({"text", "json", "junit", "github"}))
      ->capture_default_str();
  AddBaselineOptions(command, options.get());
  AddCacheOption(command, &options->no_cache);
  AddOutputOptions(command, &options->output);
  command->callback([command, options, status] { *status = Run(*command, *options); });
}

}  // namespace ompprof::cli
