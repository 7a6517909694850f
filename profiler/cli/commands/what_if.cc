#include "profiler/cli/commands/commands.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "profiler/analyze/account/devices.h"
#include "profiler/analyze/account/efficiency.h"
#include "profiler/analyze/account/locks.h"
#include "profiler/analyze/account/mpi_time.h"
#include "profiler/analyze/account/what_if.h"
#include "profiler/analyze/builder/select.h"
#include "profiler/cli/files/load.h"
#include "profiler/cli/files/name_cache.h"
#include "profiler/cli/files/newest_run.h"
#include "profiler/cli/files/profile_files.h"
#include "profiler/cli/options/complaint.h"
#include "profiler/cli/options/values.h"
#include "profiler/cli/output/terminal.h"
#include "profiler/report/basics/json_writer.h"
#include "profiler/report/sections/prediction.h"

namespace ompprof::cli {
namespace {

struct WhatIfArguments {
  std::vector<std::string> files;
  std::string balance;
  std::string lock;
  std::string schedule;
  uint32_t threads = 0;
  uint32_t processors = 0;
  std::string format = "text";
  bool no_cache = false;
  bool all_runs = false;
  OutputOptions output;
};

// The region that `text` means. Null, after a complaint, if `text` means no region or several.
const analyze::Region* OneRegion(const analyze::View& view, const std::string& text) {
  const std::vector<const analyze::Region*> found = analyze::FindRegions(view, text);
  if (found.size() == 1) return found[0];
  for (const analyze::TargetConstruct& target : analyze::TargetConstructs(view)) {
    if (!found.empty() || view.frames.function(target.construct).name.find(text) == std::string::npos) continue;
    Complain("'" + text +
             "' means a target construct, and predictions are of parallel regions only; `ompprof report "
             "--advice` tells what changes to target constructs would save");
    return nullptr;
  }
  std::vector<std::string> names;
  for (const analyze::Region& region : view.regions) {
    if (region.ended > 0) names.push_back(view.frames.ShortName(region.construct));
  }
  if (names.empty()) {
    Complain("no parallel region is called '" + text + "': the profile has no parallel regions");
    return nullptr;
  }
  Complain(found.empty()
               ? "no parallel region is called '" + text + "'; the regions are:"
               : "'" + text + "' means several parallel regions; give a file and line instead. The regions are:",
           names);
  return nullptr;
}

// Splits "REGION=dynamic,N". False, after a complaint, if `text` has another form.
bool ParseSchedule(const std::string& text, std::string* region, uint64_t* chunk) {
  const size_t equals = text.rfind('=');
  const std::string schedule = equals == std::string::npos ? "" : text.substr(equals + 1);
  *region = text.substr(0, equals);
  *chunk = 1;
  if (schedule == "dynamic") return true;
  if (schedule.rfind("dynamic,", 0) == 0) {
    const char* number = schedule.c_str() + 8;
    char* end = nullptr;
    errno = 0;
    const unsigned long long value = std::strtoull(number, &end, 10);
    if (*number >= '1' && *number <= '9' && *end == '\0' && errno == 0) {
      *chunk = value;
      return true;
    }
  }
  Complain("--schedule: '" + text + "' is not of the form REGION=dynamic or REGION=dynamic,N");
  return false;
}

// The locks are sorted by their waits.
void ComplainOfLock(const std::string& name, const analyze::Locks& locks) {
  constexpr size_t kMostNames = 20;
  const std::string sentence = "no thread waited for a lock called '" + name + "'";
  if (locks.locks.empty()) return Complain(sentence + ", nor for any other lock");
  std::vector<std::string> names;
  for (const analyze::Lock& lock : locks.locks) {
    if (std::find(names.begin(), names.end(), lock.name) == names.end()) names.push_back(lock.name);
  }
  const size_t all = names.size();
  if (all > kMostNames) {
    names.resize(kMostNames);
    names.push_back("... and " + std::to_string(all - kMostNames) + " more, in `ompprof report --locks --limit=0`");
  }
  Complain(sentence + "; threads waited for:", names);
}

// Why the profile has no answer to the question; empty: it has one.
std::string Refusal(const WhatIfArguments& options, const analyze::View& view, const analyze::Efficiency& efficiency,
                    const analyze::WhatIf& what_if) {
  if (!analyze::WaitsRecorded(view))
    return "waits were not recorded (--waits=off), and predictions need waits; record the program without that option";
  if (view.run.is_unified())
    return "the profile is a unified job, and how the job's end depends on each rank is not known; ask about one rank: "
           "unify with --keep=all, or give the rank's own profile";
  if (!efficiency.known)
    return "the profile has no OMPT data, and predictions need OMPT data; `ompprof info` says why it has none";
  return options.threads > 0 ? what_if.WithThreadsRefusal(options.threads, options.processors) : "";
}

int Run(const WhatIfArguments& options) {
  const int asked =
      !options.balance.empty() + !options.lock.empty() + !options.schedule.empty() + (options.threads > 0);
  if (asked != 1) {
    Complain("whatif answers one question: give one of --balance, --remove-lock, --schedule and --threads");
    return kUsage;
  }
  if (options.processors > 0 && options.threads == 0) {
    Complain("--processors is a part of the question --threads");
    return kUsage;
  }
  Loaded loaded(OpenCache(options.no_cache));
  LoadRequest request;
  request.job_serves = false;  // see Refusal
  request.all_runs = options.all_runs;
  const int status = Load(options.files, request, &loaded);
  const analyze::View& view = loaded.view;
  if (view.run.empty()) return status;
  const analyze::Locks locks = analyze::BuildLocks(&loaded.view, &loaded.symbolizer);
  const analyze::Efficiency efficiency = analyze::MeasureEfficiency(view, analyze::MeasureMpi(view));
  const analyze::WhatIf what_if(view, efficiency);
  if (const std::string refusal = Refusal(options, view, efficiency, what_if); !refusal.empty()) {
    Complain(refusal);
    return kFailure;
  }
  analyze::Prediction prediction;
  std::string question;
  if (!options.balance.empty() || !options.schedule.empty()) {
    std::string name = options.balance;
    uint64_t chunk = 0;
    if (name.empty() && !ParseSchedule(options.schedule, &name, &chunk)) return kUsage;
    const analyze::Region* region = OneRegion(view, name);
    if (region == nullptr) return kUsage;
    const std::string construct = view.frames.ShortName(region->construct);
    prediction = chunk == 0 ? what_if.Balanced(*region) : what_if.Dynamic(*region, chunk);
    question = construct + (chunk == 0 ? " were balanced" : " had schedule(dynamic," + std::to_string(chunk) + ")");
  } else if (!options.lock.empty()) {
    uint64_t waits = 0;
    prediction = what_if.WithoutLock([&](const analyze::WaitTotal& wait) {
      const bool meant = report::IsLockCalled(view, locks, wait, options.lock);
      waits += meant ? wait.count : 0;
      return meant;
    });
    if (waits == 0) {
      ComplainOfLock(options.lock, locks);
      return kUsage;
    }
    question = "nobody waited for " + options.lock;
  } else {
    prediction = what_if.WithThreads(options.threads, options.processors);
    question = "teams had " + std::to_string(options.threads) + (options.threads == 1 ? " thread" : " threads");
  }
  const bool json = options.format == "json";
  const std::string text = json ? report::PredictionJson(prediction, question)
                                : report::PredictionText(prediction, question, StyleOf(options.output));
  OutputOptions output = options.output;
  output.no_pager |= json;
  const int printed = Print(text, output);
  return printed == kSuccess ? status : printed;
}

}  // namespace

void AddWhatIfCommand(CLI::App* app, int* status) {
  auto options = std::make_shared<WhatIfArguments>();
  CLI::App* command = app->add_subcommand("whatif", "Predict how long the run would take after a change");
  command->footer(
      "Ask one question at a time. REGION is a function, or a file and line, as in reports.\n"
      "\n"
      "Examples:\n"
      "  ompprof whatif --balance solve.c:12 run.ompprof\n"
      "  ompprof whatif --schedule relax=dynamic,16 run.ompprof\n"
      "  ompprof whatif --remove-lock table.lock run.ompprof\n"
      "  ompprof whatif --threads 64 --processors 64 run.ompprof");
  command->add_option("FILE", options->files, kFilesHelp)->required();
  command->add_option("--balance", options->balance, "Give the region's threads equal work")->type_name("REGION");
  command
      ->add_option("--remove-lock", options->lock,
                   "Let no thread wait for this lock or critical: a name from report --locks, or FILE:LINE")
      ->type_name("NAME");
  command->add_option("--schedule", options->schedule, "Give the region's loop schedule(dynamic,N)")
      ->type_name("REGION=dynamic,N");
  command->add_option("--threads", options->threads, "Give teams N threads")->type_name("N")->check(Whole(1, 1000000));
  command
      ->add_option("--processors", options->processors, "With --threads: a machine with N such processors for the run")
      ->type_name("N")
      ->check(Whole(1, 1000000));
  command->add_option("--format", options->format, "Format of the output")
      ->check(OneOf({"text", "json"}))
      ->capture_default_str();
  AddCacheOption(command, &options->no_cache);
  AddAllRunsOption(command, &options->all_runs);
  AddOutputOptions(command, &options->output);
  command->callback([options, status] { *status = Run(*options); });
}

}  // namespace ompprof::cli
