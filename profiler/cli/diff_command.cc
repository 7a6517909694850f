#include "profiler/cli/diff_command.h"

#include <cstdio>
#include <deque>
#include <limits>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "profiler/analyze/build_view.h"
#include "profiler/analyze/diff.h"
#include "profiler/cli/effects.h"
#include "profiler/cli/load.h"
#include "profiler/cli/name_cache.h"
#include "profiler/cli/profile_files.h"
#include "profiler/cli/values.h"
#include "profiler/model/header_facts.h"
#include "profiler/report/diff_json.h"
#include "profiler/report/diff_text.h"
#include "profiler/report/recording_text.h"

namespace ompprof::cli {
namespace {

// The exit status for "slower".
constexpr int kRegression = 3;

struct Options {
  std::vector<std::string> files;
  std::vector<std::string> before;
  std::vector<std::string> after;
  std::string format = "text";
  double percent = -1;
  bool no_cache = false;
  report::DiffTextOptions text;
};

struct Side {
  std::vector<analyze::RunFigures> runs;
  std::string unit;      // SamplingFacts::weight_unit
  std::string measured;  // the figure that the weights count
  std::string label;     // the side's name for a person
};

// Reads and measures a side. Complains of files that cannot be read. False if no file can.
bool Measure(const std::vector<std::string>& files, const std::shared_ptr<model::SymbolCache>& cache, Side* side,
             std::set<std::string>* warnings, int* status) {
  std::deque<model::ProcessProfile> profiles;
  std::vector<const model::ProcessProfile*> processes;
  for (const std::string& hint : UnifyHints(FindProfiles(files))) Complain(hint);
  ReadNamed(files, false, model::Timeline::kDrop, [&](model::ReadResult result) {
    if (!result.status.ok()) {
      Complain(result.status.sentence());
      *status = kFailure;
    }
    if (!result.usable) return;
    const Header& header = result.profile.header;
    const std::string measured = model::Measured(header);
    if (processes.empty() && side->measured.empty()) side->measured = measured;
    if (measured != side->measured) {
      Complain(result.profile.file + ": left out. This profile counts " + measured + ", and the others count " +
               side->measured);
      *status = kFailure;
      return;
    }
    side->unit = header.weight_unit();
    profiles.push_back(std::move(result.profile));
    processes.push_back(&profiles.back());
  });
  if (processes.empty()) return false;
  const auto runs = analyze::GroupRuns(processes);
  for (const std::vector<const model::ProcessProfile*>& run : runs) {
    model::Symbolizer symbolizer(cache);
    const analyze::View view = analyze::BuildView(run, analyze::ViewKind::kUser, &symbolizer);
    for (const std::string& warning : view.warnings) {
      if (warnings->insert(warning).second) Complain("warning: " + warning);
    }
    side->runs.push_back(analyze::MeasureRun(view));
  }
  side->label = files[0] + (files.size() > 1 ? " and " + std::to_string(files.size() - 1) + " more" : "") + ": " +
                report::CommandLine(analyze::FactsOf(*processes[0])) + ", " + std::to_string(runs.size()) +
                (runs.size() == 1 ? " run" : " runs");
  if (processes.size() > runs.size()) side->label += " of " + std::to_string(processes.size()) + " processes in all";
  return true;
}

int Run(const CLI::App& command, Options options) {
  const bool json = options.format == "json";
  if (!AllHaveEffect(command, {{"--limit", !json, "with --format=json, which has all rows"},
                               {"--full-names", !json, "with --format=json, which has the full names"}}))
    return kUsage;
  if (options.text.limit == 0) options.text.limit = std::numeric_limits<size_t>::max();
  if (options.before.empty() && options.after.empty() && options.files.size() == 2) {
    options.before = {options.files[0]};
    options.after = {options.files[1]};
    options.files.clear();
  }
  if (!options.files.empty() || options.before.empty() || options.after.empty()) {
    Complain("diff: name two profiles, BEFORE and AFTER; or name several, as --before FILE... --after FILE...");
    return kUsage;
  }
  int status = kSuccess;
  std::set<std::string> warnings;
  Side before;
  Side after;
  const std::shared_ptr<model::SymbolCache> cache = OpenCache(options.no_cache);
  const bool read = Measure(options.before, cache, &before, &warnings, &status);
  after.measured = before.measured;
  if (!Measure(options.after, cache, &after, &warnings, &status) || !read) return kFailure;

  const analyze::Diff diff = analyze::Compare(before.runs, after.runs);
  const std::vector<analyze::Regression> regressions =
      options.percent < 0 ? std::vector<analyze::Regression>()
                          : analyze::FindRegressions(diff, options.percent, before.measured);
  options.text.nanoseconds = before.unit != "events";
  options.text.measured = before.measured;
  const std::string text = options.format == "json" ? report::DiffJson(diff, before.unit, regressions)
                                                    : report::DiffText(diff, before.label, after.label, options.text);
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0) {
    Complain("the comparison cannot be written to standard output");
    return kFailure;
  }
  for (const analyze::Regression& regression : regressions) {
    Complain("slower beyond noise and by more than " + CLI::detail::to_string(options.percent) +
             " %: " + regression.what + " " + report::SignedPercent(regression.difference));
  }
  return status != kSuccess ? status : regressions.empty() ? kSuccess : kRegression;
}

}  // namespace

void AddDiffCommand(CLI::App* app, int* status) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app->add_subcommand("diff", "Show changes in speed, and which changes are beyond noise");
  command->footer(
      "diff compares functions by name and file, and regions by function and order. Sampled figures have a 95 %\n"
      "interval. Chance alone shows a change beyond noise in one of twenty tables. Files of one side whose times\n"
      "overlap are one run (ranks). Other files are further runs: diff compares the means of the runs, and the\n"
      "differences between runs count as noise.\n"
      "\n"
      "Exit status: 0; 1 if a file could not be read; 3 if --fail-on-regression finds something slower.\n"
      "\n"
      "Examples:\n"
      "  ompprof diff old.ompprof new.ompprof\n"
      "  ompprof diff --before old.*.ompprof --after new.*.ompprof      several runs of each\n"
      "  ompprof diff old new                                           two folders of profiles\n"
      "  ompprof diff --fail-on-regression=5 base.ompprof this.ompprof  for a continuous integration");
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
  command->add_option("--format", options->format, "Format of the output")
      ->check(OneOf({"text", "json"}))
      ->capture_default_str();
  AddCacheOption(command, &options->no_cache);
  command->callback([command, options, status] { *status = Run(*command, *options); });
}

}  // namespace ompprof::cli
