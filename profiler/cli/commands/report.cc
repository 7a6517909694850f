#include "profiler/cli/commands/commands.h"

#include <unistd.h>

#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "profiler/analyze/account/summary.h"
#include "profiler/analyze/advice/answers.h"
#include "profiler/analyze/view/call_tree.h"
#include "profiler/analyze/view/path_filter.h"
#include "profiler/cli/files/debug_packages.h"
#include "profiler/cli/files/load.h"
#include "profiler/cli/files/name_cache.h"
#include "profiler/cli/files/newest_run.h"
#include "profiler/cli/files/profile_files.h"
#include "profiler/cli/options/complaint.h"
#include "profiler/cli/options/effects.h"
#include "profiler/cli/options/selection_options.h"
#include "profiler/cli/options/values.h"
#include "profiler/cli/output/html_report.h"
#include "profiler/cli/output/replaceable.h"
#include "profiler/cli/output/terminal.h"
#include "profiler/model/command_output.h"
#include "profiler/model/header_facts.h"
#include "profiler/report/basics/units.h"
#include "profiler/report/whole/csv_report.h"
#include "profiler/report/whole/json_report.h"
#include "profiler/report/whole/text_report.h"

namespace ompprof::cli {
namespace {

// Compiles `pattern`, unless it is empty. False, after a complaint, if `pattern` is no regular expression.
bool Compile(const char* option, const std::string& pattern, std::optional<analyze::NamePattern>* compiled) {
  if (pattern.empty()) return true;
  *compiled = analyze::NamePattern::Of(pattern);
  if (!*compiled) Complain(std::string(option) + ": '" + pattern + "' is not a regular expression");
  return compiled->has_value();
}

constexpr size_t kAllRows = std::numeric_limits<size_t>::max();

constexpr char kReportExamples[] =
    "Examples:\n"
    "  ompprof report run.ompprof                          one screen: losses, and the best changes\n"
    "  ompprof report --full run.ompprof                   the most important tables\n"
    "  ompprof report --tree --focus relax run.ompprof     call paths through functions that match\n"
    "  ompprof report --peek 'solve$' run.ompprof          callers and callees of solve\n"
    "  ompprof report --top --metric=wait run.ompprof      functions by waiting\n"
    "  ompprof report --top --by=thread run.ompprof        each function in each thread\n"
    "  ompprof report --regions --paths run.ompprof        losses of each region, by call path\n"
    "  ompprof report --states run.ompprof                 OpenMP states, thread by thread\n"
    "  ompprof report --top --phase=solve run.ompprof      a phase of the program; --region, --thread likewise\n"
    "  ompprof report --format=csv --regions run.ompprof > regions.csv\n"
    "  ompprof report --html run.html run.ompprof          all views as a web page\n"
    "  ompprof report --format=json run.ompprof | jq .efficiency\n";

const std::map<std::string, analyze::Dimension> kDimensions = {{"thread", analyze::Dimension::kThread},
                                                               {"rank", analyze::Dimension::kRank},
                                                               {"state", analyze::Dimension::kState},
                                                               {"region", analyze::Dimension::kRegion},
                                                               {"phase", analyze::Dimension::kPhase}};

struct ReportArguments {
  std::vector<std::string> files;
  std::string view = "user";
  std::string format = "text";
  std::string focus;
  std::string ignore;
  std::string hide;
  std::string show_from;
  std::string peek;
  std::string metric;
  std::string by;
  std::string rank;       // the only rank to read; empty: all processes
  std::string html;       // the file of the page; empty: no page
  std::string diff_base;  // the profile that the page compares with
  std::vector<std::string> source_folders;
  analyze::Selection selection;
  bool no_cache = false;
  bool all_runs = false;
  bool force = false;  // the page may take the place of any file
  report::TextOptions text;
  OutputOptions output;
};

struct Filters {
  std::optional<analyze::NamePattern> focus;
  std::optional<analyze::NamePattern> ignore;
  std::optional<analyze::NamePattern> hide;
  std::optional<analyze::NamePattern> show_from;

  bool any() const { return focus || ignore || hide || show_from; }
};

// In pprof's order.
void Apply(const Filters& filters, analyze::View* view) {
  analyze::FilterSamples(filters.focus ? &*filters.focus : nullptr, filters.ignore ? &*filters.ignore : nullptr, view);
  if (filters.hide) analyze::HideFunctions(*filters.hide, view);
  if (filters.show_from) analyze::ShowFrom(*filters.show_from, view);
}

// The metric that `name` means in this profile. Empty, after a complaint, if the profile has no such metric.
std::optional<analyze::Metric> FindMetric(const std::string& name, const analyze::View& view) {
  const std::string& clock = view.run.first().sampling.clock;
  const std::string weight = !view.run.weighs_ns() || clock == "wall" ? clock : "cpu";
  if (name.empty() || name == weight || (!name.empty() && name == clock)) return analyze::Metric::kWeight;
  if (name == "samples") return analyze::Metric::kSamples;
  if ((name == "wait" || name == "blame") && !analyze::WaitsRecorded(view)) {
    Complain("--metric=" + name + ": waits were not recorded (--waits=off)");
    return std::nullopt;
  }
  if (name == "wait") return analyze::Metric::kWait;
  if (name == "blame") return analyze::Metric::kBlame;
  Complain("--metric=" + name + ": no such metric in this profile; the profile has " + weight +
           ", wait, blame and samples");
  return std::nullopt;
}

// False, after a complaint, if the profile lacks the dimension of --by.
bool CanBreakDown(const ReportArguments& options, const analyze::View& view) {
  if (!options.text.by || analyze::HasDimension(view, *options.text.by)) return true;
  Complain(
      *options.text.by != analyze::Dimension::kRank
          ? "--by=phase: the profile has no phases; a program names its phases with ompprof_push_label (ompprof.h)"
      : view.run.is_unified()
          ? "--by=rank: the profile is a unified job, whose figures are sums over the ranks; `ompprof report --ranks` "
            "shows the spread of each function over them"
          : "--by=rank: the profile has no ranks; mpirun, srun or a similar launcher started none of its processes");
  return false;
}

// How many tables of --format=csv are asked for. Only one can be printed.
int CsvTables(const report::TextOptions& text) {
  return (text.top || text.by) + text.regions + text.threads + text.locks + text.waits + text.states + text.devices;
}

std::string Csv(const report::TextOptions& text, const Loaded& loaded, const analyze::Summary& summary,
                const analyze::Answers& answers) {
  const analyze::View& view = loaded.view;
  if (text.regions) return report::CsvRegions(view);
  if (text.threads) return report::CsvThreads(view, summary);
  if (text.locks) return report::CsvLocks(view, answers.locks);
  if (text.waits) return report::CsvWaits(view);
  if (text.devices) return report::CsvDevices(view);
  if (text.states) return report::CsvStates(view);
  return report::CsvFunctions(view, loaded.symbolizer, text.lines, text.by);
}

// The tables that the user asked for.
struct Asked {
  explicit Asked(const report::TextOptions& text, bool peek)
      : functions(text.top || text.tree || text.by || peek),
        names(functions || text.regions || text.waits || text.blame || text.locks || text.devices),
        any(names || text.threads || text.states || text.ranks || text.advice || text.full) {}

  bool functions;  // a table of functions or call paths
  bool names;      // a table that names functions or regions
  bool any;        // else the first screen
};

// The tables whose figures are not known of a part of the run.
std::vector<Effect> EffectsOnPart(const analyze::Selection& selection) {
  std::vector<Effect> effects;
  for (const char* table : {"--advice", "--ranks", "--devices", "--html"})
    effects.push_back({table, !selection.any(), "with --phase, --region or --thread: it is of the whole run"});
  effects.push_back({"--regions", selection.knows_regions(),
                     "with --phase or --thread: a region's figures are of all its phases and threads together"});
  effects.push_back({"--threads", selection.knows_threads(),
                     "with --phase or --region: a thread's clocks do not tell phases and regions apart"});
  for (const char* table : {"--waits", "--locks"})
    effects.push_back({table, selection.knows_waits(), "with --phase: the exact waits do not tell phases apart"});
  return effects;
}

// The options that have an effect on some outputs only.
std::vector<Effect> Effects(const ReportArguments& options) {
  const report::TextOptions& text = options.text;
  const bool by_state = text.by && *text.by == analyze::Dimension::kState;
  const Asked asked(text, !options.peek.empty());
  const bool page = !options.html.empty();
  const bool csv = !page && options.format == "csv";
  const bool plain = !page && options.format == "text";
  const std::string output = page ? "with --html" : plain ? "" : "with --format=" + options.format;
  std::vector<Effect> effects = EffectsOnPart(options.selection);
  effects.push_back({"--format", !page, output});
  effects.push_back({"--view", !page, output + ": the page has both views"});
  for (const char* table : {"--full", "--top", "--tree", "--peek", "--regions", "--states", "--threads", "--ranks",
                            "--waits", "--blame", "--locks", "--devices", "--advice"})
    effects.push_back({table, plain || csv, output + ", which has all tables"});
  const auto text_only = [&](const char* option, bool has_effect, const char* needed) {
    effects.push_back({option, plain && has_effect, plain ? std::string("without ") + needed : output});
  };
  text_only("--metric", asked.functions || text.full, "--full, --top, --tree, --peek or --by");
  text_only("--no-fold", text.tree || (text.regions && text.paths), "--tree or --regions --paths");
  text_only("--full-names", asked.names || !asked.any, "a table that names functions");
  text_only("--min-percent", text.tree, "--tree");
  text_only("--raw", text.states || text.waits || by_state || text.full, "--full, --states, --waits or --by=state");
  text_only("--width", true, "");
  if (options.output.color != "never") text_only("--color", true, "");
  effects.push_back({"--by", !page, output});
  effects.push_back({"--limit", (plain && asked.any) || csv, plain ? "without --full or a table" : output});
  const bool lines =
      plain ? asked.functions || text.blame || text.full : csv && CsvTables(text) == (text.top || text.by);
  effects.push_back(
      {"--lines", lines, plain || csv ? "without --full, --top, --tree, --peek, --by or --blame" : output});
  return effects;
}

// Complains of options that do not go together, whatever the profile. kSuccess if there are none.
int Check(const CLI::App& command, const ReportArguments& options) {
  const report::TextOptions& text = options.text;
  if (text.paths && !text.regions && !text.devices) {
    Complain("--paths needs --regions or --devices");
    return kUsage;
  }
  if (text.ranks && !options.rank.empty()) {
    Complain("--ranks compares ranks: leave out --rank");
    return kUsage;
  }
  if (!options.html.empty() && (!options.hide.empty() || !options.show_from.empty())) {
    Complain("--hide and --show-from do not go with --html; the page has search and zoom instead");
    return kUsage;
  }
  std::vector<std::string> inputs = options.files;
  inputs.push_back(options.diff_base);
  if (IsInput(options.html, inputs) || !MayReplace(options.html, kOwnPage, options.force)) return kUsage;
  const bool others = text.full || text.tree || text.peek || text.blame || text.advice || text.ranks || text.paths;
  if (options.format == "csv" && (others || CsvTables(text) > 1)) {
    Complain(
        "--format=csv prints one table: --top (the default), --regions, --threads, --states, --waits, --locks or "
        "--devices");
    return kUsage;
  }
  return AllHaveEffect(command, Effects(options)) ? kSuccess : kUsage;
}

// The header of a CSV table and its first rows. `limit` 0: all rows. Values have no line breaks.
std::string FirstRows(const std::string& csv, size_t limit) {
  if (limit == 0) return csv;
  size_t end = csv.find('\n');
  for (size_t row = 0; row < limit && end != std::string::npos; ++row) end = csv.find('\n', end + 1);
  return end == std::string::npos ? csv : csv.substr(0, end + 1);
}

// The profiles to show if the user names none: the newest run in the current folder. Empty, after a complaint, if there
// is none.
std::vector<std::string> NewestRunHere() {
  const std::vector<std::string> here = ProfilesHere();
  if (here.empty()) {
    Complain("report: there is no profile in this folder; name a FILE, or make one: ompprof record -- ./program");
    return {};
  }
  const NewestRun newest(here);
  Complain(newest.Name() + ": the newest run in this folder");
  return newest.files();
}

int Run(const CLI::App& command, ReportArguments options) {
  Filters filters;
  if (options.files.empty()) options.files = NewestRunHere();
  if (options.files.empty()) return kUsage;
  if (!Compile("--focus", options.focus, &filters.focus) || !Compile("--ignore", options.ignore, &filters.ignore) ||
      !Compile("--hide", options.hide, &filters.hide) ||
      !Compile("--show-from", options.show_from, &filters.show_from) ||
      !Compile("--peek", options.peek, &options.text.peek))
    return kUsage;
  if (!options.by.empty()) options.text.by = kDimensions.at(options.by);
  if (const int wrong = Check(command, options)) return wrong;
  if (options.text.limit == 0 && command.get_option("--limit")->count() > 0) options.text.limit = kAllRows;

  Loaded loaded(OpenCache(options.no_cache));
  LoadRequest request;
  if (!options.html.empty())
    request = LoadOfPage();
  else if (options.view == "machine")
    request.kind = analyze::ViewKind::kMachine;
  request.rank = options.rank;
  request.selection = options.selection;
  request.all_runs = options.all_runs;
  int status = Load(options.files, request, &loaded);
  if (loaded.view.run.empty()) return status;
  const std::optional<analyze::Metric> metric = FindMetric(options.metric, loaded.view);
  if (!metric) return kUsage;
  options.text.metric = *metric;
  if (!CanBreakDown(options, loaded.view)) return kUsage;

  analyze::Answers answers = analyze::Answer(&loaded.view, &loaded.symbolizer);
  if (answers.unnamed.noticeable) FindDebugPackages(model::RunForOutput, &answers.unnamed.objects);
  Apply(filters, &loaded.view);
  options.text.filtered = filters.any();
  options.text.style = StyleOf(options.output);
  const analyze::Summary summary = analyze::Summarize(loaded.view);
  if (!options.html.empty()) {
    const std::string data =
        PageDataOf(&loaded, answers, summary,
                   {filters.focus ? &*filters.focus : nullptr, filters.ignore ? &*filters.ignore : nullptr,
                    options.diff_base, options.rank, options.source_folders, "objdump"},
                   &status);
    const int written = WritePage(options.html, data, PageTitle(loaded.view));
    return written != kSuccess ? written : status;
  }
  std::string bytes;
  if (options.format == "json") {
    bytes = report::JsonReport(loaded.view, summary, loaded.symbolizer, &answers, options.text.by);
  } else if (options.format == "csv") {
    bytes = FirstRows(Csv(options.text, loaded, summary, answers), options.text.limit);
    if (isatty(STDOUT_FILENO)) bytes = report::PrintableLines(bytes);
  } else {
    bytes = report::TextReport(loaded.view, summary, loaded.symbolizer, options.text, &answers);
  }
  if (options.format != "text") options.output.no_pager = true;
  const int printed = Print(bytes, options.output);
  return printed != kSuccess ? printed : status;
}

void AddTables(CLI::App* command, ReportArguments* options) {
  report::TextOptions& text = options->text;
  const auto flag = [&](const char* name, bool* value, const char* help) {
    command->add_flag(name, *value, help)->group("Tables (without such an option: the first screen)");
  };
  flag("--full", &text.full, "The most important tables, below a header that says how the run was recorded");
  flag("--top", &text.top, "Functions");
  flag("--tree", &text.tree, "Call tree");
  command
      ->add_option("--peek", options->peek,
                   "Functions that match REGEX, each with its callers and callees (default: no such table)")
      ->type_name("REGEX")
      ->group("Tables (without such an option: the first screen)");
  flag("--regions", &text.regions, "Losses of each parallel region, and possible savings");
  flag("--paths", &text.paths,
       "With --regions: each region by call path too. With --devices: kernels and copies by call path too");
  flag("--states", &text.states, "Time by OpenMP state, for all threads together and for each thread");
  flag("--threads", &text.threads, "Threads, one by one");
  flag("--ranks", &text.ranks, "MPI ranks, or processes, side by side");
  flag("--waits", &text.waits, "Places where threads waited, how long, and which thread came last");
  flag("--blame", &text.blame,
       "Functions that kept other threads waiting, and kernels and copies that host threads waited for");
  flag("--locks", &text.locks, "Locks and criticals that threads waited for, and the code that held them");
  flag("--devices", &text.devices, "Devices: kernels, copies, allocations, and the host's waits for them");
  flag("--advice", &text.advice, "Changes that would help, and the time that each change would save");
}

void AddContents(CLI::App* command, ReportArguments* options) {
  constexpr char kGroup[] = "Contents of the tables";
  command
      ->add_option("--view", options->view,
                   "user: the program as written, with workers' call paths below the code that created their region; "
                   "machine: the "
                   "stacks as the machine had them")
      ->check(OneOf({"user", "machine"}))
      ->capture_default_str()
      ->group(kGroup);
  command
      ->add_option("--metric", options->metric,
                   "Figure that --top, --tree, --peek and --by show and sort by: cpu, wait (thread time waiting), "
                   "blame (waiting "
                   "of other threads), samples, or the recorded event's name, which is the default for an event")
      ->type_name("METRIC")
      ->default_str("cpu")
      ->group(kGroup);
  command
      ->add_option("--by", options->by,
                   "Break functions down by thread, rank, state, region or phase (default: no breakdown)")
      ->check(OneOf({"thread", "rank", "state", "region", "phase"}))
      ->group(kGroup);
  command->add_option("--rank", options->rank, "Read only the processes of MPI rank N (default: all processes)")
      ->type_name("N")
      ->check(Whole())
      ->group(kGroup);
  AddSelectionOptions(command, &options->selection, kGroup);
  const auto regex = [&](const char* name, std::string* value, const char* help) {
    command->add_option(name, *value, help)->type_name("REGEX")->group(kGroup);
  };
  regex("--focus", &options->focus, "Show only samples with a function that matches REGEX (default: all samples)");
  regex("--ignore", &options->ignore, "Leave out samples with a function that matches REGEX (default: none)");
  regex("--hide", &options->hide,
        "Leave functions that match REGEX out of call paths; their callers get their cost (default: none)");
  regex("--show-from", &options->show_from,
        "Begin call paths with their outermost function that matches REGEX; leave out other samples (default: all "
        "of each path)");
  command->add_flag("--lines", options->text.lines, "Separate the lines of a function")->group(kGroup);
  command
      ->add_flag("--no-fold", options->text.no_fold,
                 "Show each call of a recursion in trees and paths, not one with the depth (x46: up to 46 calls in a "
                 "call path)")
      ->group(kGroup);
  command->add_flag("--full-names", options->text.full_names, "C++ names with parameters and template arguments")
      ->group(kGroup);
  command
      ->add_option("--min-percent", options->text.min_percent,
                   "Leave out branches of the tree with less than this share of the whole, in percent")
      ->check(Between(0, 100))
      ->capture_default_str()
      ->group(kGroup);
  command->add_flag("--raw", options->text.raw, "Names of states as OMPT has them (ompt_state_wait_taskwait)")
      ->group(kGroup);
  command
      ->add_option("--limit", options->text.limit, "Rows of each table; 0: all rows (default: a number for each table)")
      ->type_name("N")
      ->check(Whole())
      ->group(kGroup);
}

}  // namespace

void AddReportCommand(CLI::App* app, int* status) {
  auto options = std::make_shared<ReportArguments>();
  CLI::App* command = app->add_subcommand("report", "Show where the time of one or several profiles went");
  command->add_option("FILE", options->files,
                      std::string(kFilesHelp) + " (default: the newest run in the current folder)");
  AddTables(command, options.get());
  AddContents(command, options.get());
  command
      ->add_option("--format", options->format,
                   "text; json: all views; csv: one table (functions, if no table is named)")
      ->check(OneOf({"text", "json", "csv"}))
      ->capture_default_str()
      ->group("Output");
  CLI::Option* html = command
                          ->add_option("--html", options->html,
                                       "Write a web page with all views, in one file that needs no network; - is "
                                       "standard output (default: no page)")
                          ->type_name("OUT")
                          ->group("Output");
  command->add_flag("--force", options->force, kForceHelp)->needs(html)->group("Output");
  command->add_option("--diff-base", options->diff_base, "Earlier profile that the page compares with (default: none)")
      ->type_name("BEFORE")
      ->needs(html)
      ->group("Output");
  command
      ->add_option("--source-path", options->source_folders,
                   "Folder with the page's source files; may be given several times (default: the folders in the debug "
                   "information)")
      ->type_name("DIR")
      ->allow_extra_args(false)
      ->needs(html)
      ->group("Output");
  AddOutputOptions(command, &options->output);
  AddCacheOption(command, &options->no_cache);
  AddAllRunsOption(command, &options->all_runs);
  command->footer(kReportExamples);
  command->callback([command, options, status] { *status = Run(*command, *options); });
}

}  // namespace ompprof::cli
