#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <memory>
#include <set>
#include <string>
#include <system_error>
#include <vector>

#include "profiler/analyze/compare/scaling.h"
#include "profiler/cli/commands/commands.h"
#include "profiler/cli/files/load.h"
#include "profiler/cli/files/name_cache.h"
#include "profiler/cli/files/profile_files.h"
#include "profiler/cli/files/runs.h"
#include "profiler/cli/options/complaint.h"
#include "profiler/cli/options/effects.h"
#include "profiler/cli/options/setting_text.h"
#include "profiler/cli/options/values.h"
#include "profiler/cli/output/html_report.h"
#include "profiler/cli/output/replaceable.h"
#include "profiler/cli/output/terminal.h"
#include "profiler/cli/record/record_options.h"
#include "profiler/cli/record/recorded_run.h"
#include "profiler/config/settings.h"
#include "profiler/report/sections/recording.h"
#include "profiler/report/sections/scaling.h"

namespace ompprof::cli {
namespace {

constexpr char kOutputVariable[] = "OMPPROF_OUTPUT";

struct ScaleArguments {
  std::vector<std::string> files;
  std::vector<std::string> program;
  std::vector<uint32_t> threads;
  uint32_t repeat = 1;
  std::string folder;
  bool quiet = false;
  std::shared_ptr<GivenSettings> settings = std::make_shared<GivenSettings>();
  std::string format = "text";
  std::string html;  // the file of the page; empty: no page
  bool force = false;
  uint32_t extrapolate = 0;  // to so many threads
  size_t limit = 5;
  bool full_names = false;
  bool no_cache = false;
  OutputOptions output;
};

// 1, 2, 4, ... and the number of processors that this process may use.
std::vector<uint32_t> UsualNumbers() {
  cpu_set_t set;
  const int processors = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
  std::vector<uint32_t> numbers;
  for (uint32_t number = 1; number < static_cast<uint32_t>(processors); number *= 2) numbers.push_back(number);
  numbers.push_back(static_cast<uint32_t>(processors));
  return numbers;
}

// A folder for the profiles: the named one, or ompprof.scale.PROGRAM.PID. Empty, after a complaint, if it has profiles.
std::string MakeFolder(const ScaleArguments& options) {
  std::string folder = options.folder;
  if (folder.empty())
    folder = "ompprof.scale." + std::filesystem::path(options.program[0]).filename().string() + "." +
             std::to_string(getpid());
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    Complain(folder + ": cannot be made: " + error.message());
    return "";
  }
  if (FindProfiles({folder}).files.empty()) return folder;
  Complain(folder + ": has profiles already; name another folder, or show these: ompprof scale " + folder);
  return "";
}

// Records all runs, interleaved: what changes meanwhile on the machine meets all numbers of threads. kSuccess, or the
// exit status of the run that failed.
int Record(const ScaleArguments& options, const std::string& folder) {
  const size_t all = options.threads.size() * options.repeat;
  size_t number = 0;
  for (uint32_t round = 1; round <= options.repeat; ++round) {
    for (const uint32_t threads : options.threads) {
      ++number;
      if (!options.quiet)
        Complain("run " + std::to_string(number) + " of " + std::to_string(all) +
                 ": OMP_NUM_THREADS=" + std::to_string(threads));
      const std::string profile =
          folder + "/threads-" + std::to_string(threads) + "-run-" + std::to_string(round) + ".ompprof";
      const int status = RecordRun(options.program, profile, threads);
      if (status == kSuccess) continue;
      Complain("run " + std::to_string(number) + " of " + std::to_string(all) +
               ", with OMP_NUM_THREADS=" + std::to_string(threads) + ", has ended with exit status " +
               std::to_string(status) + (number > 1 ? "; the runs so far: ompprof scale " + folder : ""));
      return status;
    }
  }
  return kSuccess;
}

// What must be equal in runs that are compared.
struct RunIdentity {
  std::vector<std::string> arguments;
  uint32_t threads = 0;
  std::string program;   // the file's name
  std::string build_id;  // empty: not known

  RunIdentity() = default;
  RunIdentity(const analyze::ProcessFacts& process, uint32_t number)
      : arguments(process.argv.begin() + (process.argv.empty() ? 0 : 1), process.argv.end()),
        threads(number),
        program(std::filesystem::path(process.program).filename().string()) {
    for (const analyze::ModuleFacts& module : process.modules) {
      if (module.path == process.program) build_id = module.build_id;
    }
  }

  // Empty: the runs can be compared.
  std::string WhyNot(const RunIdentity& other) const {
    if (program != other.program) return "is of another program";
    if (!build_id.empty() && !other.build_id.empty() && build_id != other.build_id)
      return "is of another build of the program";
    const bool same =
        std::equal(arguments.begin(), arguments.end(), other.arguments.begin(), other.arguments.end(),
                   [&](const std::string& own, const std::string& others) {
                     return own == others || WithoutThreads(own, threads) == WithoutThreads(others, other.threads);
                   });
    return same ? "" : "has other arguments";
  }

 private:
  // An argument may tell the program the number of threads: "-t8" is "-t" of a run with 8.
  static std::string WithoutThreads(const std::string& word, uint32_t threads) {
    const size_t digits = word.find_last_not_of("0123456789") + 1;
    return word.substr(digits) == std::to_string(threads) ? word.substr(0, digits) : word;
  }
};

struct ComparedRuns {
  std::vector<analyze::ScalingRun> runs;
  std::string command;  // of the first
  std::string file;     // likewise
  RunIdentity identity;
  std::vector<std::string> files;  // by run: the first file
  bool comparable = true;
};

void Take(const analyze::View& view, const model::Symbolizer& symbolizer, ComparedRuns* all) {
  const analyze::ProcessFacts& process = view.run.first();
  analyze::ScalingRun run = analyze::MeasureScalingRun(view, &symbolizer);
  if (!run.why_not.empty()) {
    Complain(process.file + ": left out, because " + run.why_not);
    return;
  }
  const RunIdentity identity(process, run.threads);
  if (all->runs.empty()) {
    all->command = report::CommandLine(process);
    all->file = process.file;
    all->identity = identity;
  } else if (const std::string why = all->identity.WhyNot(identity); !why.empty()) {
    Complain(process.file + " " + why + " than " + all->file + ": " + report::CommandLine(process) + ", and " +
             all->command + "; scale compares runs that differ in their number of threads");
    all->comparable = false;
  }
  all->runs.push_back(std::move(run));
  all->files.push_back(process.file);
}

// A profile of the most threads that had a processor each.
std::string ProfileOf(const ComparedRuns& all, const analyze::Scaling& scaling) {
  for (size_t i = 0; i < all.runs.size(); ++i) {
    if (all.runs[i].threads == scaling.last_judged().threads) return all.files[i];
  }
  return "";
}

int Show(const ScaleArguments& options, const std::vector<std::string>& files) {
  int status = kSuccess;
  ComparedRuns all;
  RunsRead read;
  ReadRuns(files, OpenCache(options.no_cache), &read, &status,
           [&](const analyze::View& view, const model::Symbolizer& symbolizer) { Take(view, symbolizer, &all); });
  if (all.runs.empty()) return kFailure;
  if (!all.comparable) return kUsage;
  const analyze::Scaling scaling = analyze::MeasureScaling(all.runs);
  OutputOptions output = options.output;
  output.no_pager |= options.format != "text";
  report::ScalingOptions shown;
  shown.command = all.command;
  if (options.extrapolate != 0) shown.extrapolation = analyze::Extrapolate(scaling, all.runs, options.extrapolate);
  shown.profile = ProfileOf(all, scaling);
  if (!options.html.empty()) {
    const std::string data = "{\"format\":1,\"scaling\":" + report::ScalingJson(scaling, shown) + "}";
    const int written = WritePage(options.html, data,
                                  std::filesystem::path(all.identity.program).filename().string() + " - ompprof scale");
    return written == kSuccess ? status : written;
  }
  std::string text;
  if (options.format == "json") {
    text = report::ScalingJson(scaling, shown);
  } else if (options.format == "csv") {
    text = report::ScalingCsv(scaling);
  } else {
    shown.limit = options.limit == 0 ? std::numeric_limits<size_t>::max() : options.limit;
    shown.full_names = options.full_names;
    shown.style = StyleOf(options.output);
    text = report::ScalingText(scaling, shown);
  }
  const int printed = Print(text, output);
  return printed == kSuccess ? status : printed;
}

std::vector<Effect> Effects(const ScaleArguments& options) {
  const bool records = !options.program.empty();
  const bool page = !options.html.empty();
  const bool text = options.format == "text" && !page;
  const std::string with = page ? "with --html" : "with --format=" + options.format;
  std::vector<Effect> effects = {{"--limit", text, with + ", which has all rows"},
                                 {"--full-names", text, with + ", which has the full names"}};
  effects.push_back({"--extrapolate", page || options.format != "csv", with});
  effects.push_back({"--format", !page, with});
  const std::string nothing = "without a program, as nothing is recorded: ompprof scale [OPTIONS] -- PROGRAM";
  for (const char* option : {"--threads", "--repeat", "--output", "--quiet"})
    effects.push_back({option, records, nothing});
  for (const config::Setting& setting : config::Settings()) {
    if (setting.variable != std::string(kOutputVariable)) effects.push_back({LongOption(setting), records, nothing});
  }
  return effects;
}

int Run(const CLI::App& command, ScaleArguments options) {
  if (!AllHaveEffect(command, Effects(options))) return kUsage;
  if (options.program.empty() == options.files.empty()) {
    Complain(options.files.empty()
                 ? "scale: name profiles, or behind -- the program to record: ompprof scale -- ./program"
                 : "scale: name either profiles, or behind -- the program to record");
    return kUsage;
  }
  if (IsInput(options.html, options.files) || !MayReplace(options.html, kOwnPage, options.force)) return kUsage;
  if (options.program.empty()) return Show(options, options.files);
  config::Config config;
  if (const model::Status checked = ApplySettings(*options.settings, &config); !checked.ok()) {
    Complain(checked.sentence());
    return kUsage;
  }
  if (options.threads.empty()) options.threads = UsualNumbers();
  std::set<uint32_t> numbers;
  for (const uint32_t number : options.threads) {
    if (numbers.insert(number).second) continue;
    Complain("--threads names " + std::to_string(number) + " twice; --repeat records each number several times");
    return kUsage;
  }
  const std::string folder = MakeFolder(options);
  if (folder.empty()) return kUsage;
  if (const int status = Record(options, folder); status != kSuccess) {
    std::error_code not_empty;
    std::filesystem::remove(folder, not_empty);
    return status;
  }
  if (!options.quiet) Complain("the profiles are in " + folder + "; show this again with: ompprof scale " + folder);
  return Show(options, {folder});
}

}  // namespace

void AddScaleCommand(CLI::App* app, std::optional<std::vector<std::string>> after_dashes, int* status) {
  auto options = std::make_shared<ScaleArguments>();
  CLI::App* command = app->add_subcommand("scale", "Show how speed changes with the number of threads, and why");
  command->footer(
      "Shows runs of one program with different numbers of threads. These are profiles that exist, or runs of the\n"
      "program behind --, which it records first, each with OMP_NUM_THREADS set. What the program writes to standard\n"
      "output then goes to standard error. A run that fails ends the recording with its exit status.\n"
      "\n"
      "The threads' time is threads x wall time. It is divided into the work of the run with the fewest threads, and\n"
      "parts that add up to the rest: work inflation (the same work took more CPU time), waiting by its kind, serial\n"
      "code, the runtime. Runs with more threads than processors are shown, and left out of the verdict.\n"
      "\n"
      "Examples:\n"
      "  ompprof scale -- ./stencil 1000                       1, 2, 4, ... threads up to the processors\n"
      "  ompprof scale --threads=1,2,4,8 --repeat=3 -o runs -- ./stencil 1000\n"
      "  ompprof scale runs                                    show them again\n"
      "  ompprof scale --html scaling.html runs                as a web page\n"
      "  ompprof scale --format=csv one.ompprof two.ompprof four.ompprof > scaling.csv");
  command->add_option("FILE", options->files, kFilesHelp)->type_name("");
  command->add_option("--threads", options->threads, "Numbers of threads to record (default: 1, 2, 4, ..., processors)")
      ->type_name("N,...")
      ->delimiter(',')
      ->check(Whole(1, 65536));
  command->add_option("--repeat", options->repeat, "Runs with each number of threads")
      ->type_name("N")
      ->check(Whole(1, 1000))
      ->capture_default_str();
  command
      ->add_option("-o,--output", options->folder,
                   "Folder for the profiles; it may not have any yet (default: ompprof.scale.PROGRAM.PID)")
      ->type_name("DIR");
  command->add_flag("-q,--quiet", options->quiet, "No line for each run");
  command->add_option("--format", options->format, "Format of the output; csv: the account, a row for each number")
      ->check(OneOf({"text", "json", "csv"}))
      ->capture_default_str();
  CLI::Option* html = command
                          ->add_option("--html", options->html,
                                       "Write a web page in one file that needs no network; - is standard output "
                                       "(default: no page)")
                          ->type_name("OUT");
  command->add_flag("--force", options->force, kForceHelp)->needs(html);
  command
      ->add_option("--extrapolate", options->extrapolate,
                   "Tell the wall time with N threads on N processors, if the runs carry it (default: of no number)")
      ->type_name("N")
      ->check(Whole(1, 1000000));
  command->add_option("--limit", options->limit, "Rows of the tables of regions, functions and lines; 0: all rows")
      ->type_name("N")
      ->check(Whole())
      ->capture_default_str();
  command->add_flag("--full-names", options->full_names, "C++ names with parameters and template arguments");
  AddCacheOption(command, &options->no_cache);
  AddOutputOptions(command, &options->output);
  AddSettingOptions(command, options->settings, kOutputVariable);
  command->callback([command, options, status, after_dashes = std::move(after_dashes)] {
    if (after_dashes) options->program = *after_dashes;
    *status = Run(*command, *options);
  });
}

}  // namespace ompprof::cli
