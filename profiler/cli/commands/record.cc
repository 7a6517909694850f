#include "profiler/cli/commands/commands.h"

#include <limits.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "profiler/cli/commands/usage_error.h"
#include "profiler/cli/files/profile_family.h"
#include "profiler/cli/files/staged_profiles.h"
#include "profiler/cli/options/command_options.h"
#include "profiler/cli/options/complaint.h"
#include "profiler/cli/options/effects.h"
#include "profiler/cli/options/setting_text.h"
#include "profiler/cli/output/progress.h"
#include "profiler/cli/record/older_runtime.h"
#include "profiler/cli/record/own_files.h"
#include "profiler/cli/record/preload_check.h"
#include "profiler/cli/record/record_checks.h"
#include "profiler/cli/record/record_options.h"
#include "profiler/config/mpi_ranks.h"
#include "profiler/config/output_name.h"
#include "profiler/config/perf_events.h"

namespace ompprof::cli {
namespace {

// A shell's exit statuses for a command that it cannot run.
constexpr int kNotFound = 127;
constexpr int kNotRunnable = 126;

struct RecordArguments {
  std::shared_ptr<GivenSettings> settings = std::make_shared<GivenSettings>();
  bool quiet = false;       // no progress line, and no last line
  bool run_anyway = false;  // also where the collector cannot record
};

// libompprof.so as installed, or as built in this tree. Empty, after a complaint, if neither exists.
std::string FindCollector() {
  const char* chosen = std::getenv("OMPPROF_LIBRARY");
  const std::vector<std::string> places =
      chosen != nullptr ? std::vector<std::string>{chosen} : OwnPlaces("libompprof.so", "../collect/libompprof.so");
  std::string tried;
  std::string found = FirstThere(places, &tried);
  if (found.empty())
    Complain("the collector libompprof.so was not found (tried " + tried +
             "); set OMPPROF_LIBRARY to the library's path");
  return found;
}

// libgomp_ompt.so, in the same places. Empty, after a warning, if no place has it: GCC's programs then have no regions.
std::string FindShim() {
  std::string tried;
  std::string found = FirstThere(OwnPlaces("libgomp_ompt.so", "../../runtime_shim/libgomp_ompt.so"), &tried);
  if (found.empty())
    Complain(
        "warning: libgomp_ompt.so was not found (tried " + tried +
        "); a program compiled by gcc is profiled without regions and states. --gomp-shim=off silences this warning");
  return found;
}

// libompprof_older_ompt.so, in the same places, if the program's runtime wants it. Empty if not, and after a warning if
// no place has it.
std::string FindOlderOmpt(config::OlderOmpt how, const std::string& program) {
  if (how == config::OlderOmpt::kOff) return "";
  // The shim speaks older generations as well, if it is asked to.
  const char* generation = std::getenv("GOMP_OMPT_GENERATION");
  const bool is_asked_for =
      generation != nullptr && (!std::strcmp(generation, "tr2") || !std::strcmp(generation, "draft"));
  if (how == config::OlderOmpt::kAuto && !is_asked_for && !HasOlderRuntime(program)) return "";
  std::string tried;
  std::string found = FirstThere(OwnPlaces("libompprof_older_ompt.so", "../collect/libompprof_older_ompt.so"), &tried);
  if (found.empty())
    Complain("warning: libompprof_older_ompt.so was not found (tried " + tried +
             "); the program's OpenMP runtime is too old for a tool without it, and the profile has no regions and no "
             "states. --older-ompt=off silences this warning");
  return found;
}

// LD_PRELOAD is a list that blanks and colons separate (ld.so(8)).
bool Preloadable(const std::string& path) {
  if (path.find_first_of(": ") == std::string::npos) return true;
  Complain("LD_PRELOAD accepts no path with a space or a colon: '" + path + "'");
  return false;
}

// The shared runtime of AddressSanitizer ends a program that loads another library before it, as a preload does. The
// order does no harm here. The user's own options come last, so they win.
std::string WithAnyLinkOrder(const char* asan_options) {
  std::string options = "verify_asan_link_order=0";
  if (asan_options != nullptr && *asan_options != '\0') options += std::string(":") + asan_options;
  return options;
}

std::string HostName() {
  char host[256] = "";
  if (gethostname(host, sizeof host - 1) != 0) return "localhost";
  return host;
}

// A name for the run, unlike the name of any other run. An MPI launcher starts this command once for each rank; the
// ranks of such a job share the job's name.
std::string RunName() {
  if (*config::MpiRank() != '\0' && *config::MpiJob() != '\0') {
    const std::string step = config::MpiJobStep();
    return std::string("job ") + config::MpiJob() + (step.empty() ? "" : " step " + step);
  }
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return HostName() + " " + std::to_string(getpid()) + " " + std::to_string(now.tv_sec) + "." +
         std::to_string(now.tv_nsec);
}

// What keeps the collector from recording `config`'s events into the file `path`. Moves the profiles of an earlier run
// out of the way of that file.
model::Status PrepareRecording(const config::Config& config, const std::string& path, const std::string& run) {
  if (model::Status event = CheckEvent(config); !event.ok()) return event;
  if (path.empty()) return {};
  if (model::Status moved = MoveFamilyAside(path, run); !moved.ok()) return moved;
  return CheckWritable(path);
}

int CannotRun(const std::string& program, int error) {
  Complain("cannot run '" + program + "': " + std::strerror(error));
  return error == ENOENT ? kNotFound : kNotRunnable;
}

// The options that have an effect on some recordings only.
std::vector<Effect> Effects(const config::Config& config) {
  const config::PerfEvent* event = config::FindPerfEvent(config.event);
  return {{"--frequency", event == nullptr || event->default_period == 0,
           std::string("with --event=") + config.event + ", which is sampled every so many events"},
          {"--delay", !config.paused, "with --paused: the program starts the sampling"},
          {"--max-overhead", config.waits, "with --waits=off: no events are measured"}};
}

// The folder of --stage from the root; empty: none.
std::string StageOf(const config::Config& config) {
  if (config.stage[0] == '\0') return "";
  return std::filesystem::absolute(config.stage).lexically_normal().string();
}

// Empty: it was removed.
std::string WorkingFolder() {
  std::error_code error;
  return std::filesystem::current_path(error).string();
}

// The variables, with colons between them: programs that the collector cannot be in start without them.
std::string NamesOf(const GivenSettings& settings) {
  std::string names;
  for (const auto& [variable, value] : settings) names += (names.empty() ? "" : ":") + variable;
  return names;
}

// Prepares the recording of `program` by this process, which becomes the program. 0, or an exit status after a
// complaint.
int Prepare(const config::Config& config, const RecordArguments& options, const std::string& program) {
  std::string preload = FindCollector();
  if (preload.empty() || !Preloadable(preload)) return kFailure;
  const std::string older = FindOlderOmpt(config.older_ompt, program);
  if (!older.empty() && Preloadable(older)) preload += ":" + older;
  // Also for a program that does not link libgomp: the program may load a library that does, or start such a process.
  // The shim does nothing where nobody calls libgomp.
  const std::string shim = config.gomp_shim ? FindShim() : "";
  if (!shim.empty() && Preloadable(shim)) {
    // The shim must not start a tool of the program's own: libgomp would not.
    setenv("GOMP_OMPT_TOOL_LIBRARIES", preload.c_str(), 1);
    preload += ":" + shim;
  }
  const char* others = std::getenv("LD_PRELOAD");
  if (others != nullptr && *others != '\0') preload += std::string(":") + others;
  setenv("LD_PRELOAD", preload.c_str(), 1);
  setenv("ASAN_OPTIONS", WithAnyLinkOrder(std::getenv("ASAN_OPTIONS")).c_str(), 1);
  // exec keeps the process id. By this id the collector tells the program from the processes that it starts.
  setenv("OMPPROF_MAIN_PID", std::to_string(getpid()).c_str(), 1);
  const std::string run = RunName();
  const std::string stage = StageOf(config);
  const std::string folder = WorkingFolder();
  std::string path;
  model::Status ready = PlanProfile(config, program, folder, &path);
  if (ready.ok()) ready = PrepareRecording(config, path, run);
  if (ready.ok() && !stage.empty()) ready = CheckStage(stage);
  if (!ready.ok() && !options.run_anyway) {
    Complain(ready.sentence());
    Complain("the program was not started; `ompprof record --run-anyway` starts it all the same");
    return kUsage;
  }
  setenv("OMPPROF_RUN", run.c_str(), 1);
  setenv("OMPPROF_OPTIONS", NamesOf(*options.settings).c_str(), 1);
  // A recorded script may run this command in another folder and with other options.
  unsetenv("OMPPROF_LAST_LINE");
  unsetenv("OMPPROF_FOLDER");
  if (!folder.empty()) setenv("OMPPROF_FOLDER", folder.c_str(), 1);
  if (!stage.empty()) StartStageKeeper(stage, run);
  if (!options.quiet) StartProgress({path, run, folder});
  return 0;
}

int Run(const CLI::App& command, const RecordArguments& options, const std::vector<std::string>& words) {
  config::Config config;
  if (const model::Status checked = ApplySettings(*options.settings, &config); !checked.ok()) {
    Complain(checked.sentence());
    return kUsage;
  }
  if (!AllHaveEffect(command, Effects(config))) return kUsage;
  if (words.empty()) {
    Complain("record: name the program to run, as in `ompprof record -- ./program`");
    return kUsage;
  }
  const FoundProgram program = FindProgram(words[0]);
  if (program.error != 0) return CannotRun(words[0], program.error);

  const std::string obstacle = WhyNotPreloadable(program.path);
  const bool selected = config::IsRankSelected(config.ranks, config::MpiRank());
  if (!selected || !obstacle.empty()) {
    // As if this command were not there.
    for (const auto& [variable, value] : *options.settings) unsetenv(variable.c_str());
    if (selected) Complain("warning: '" + words[0] + "' runs without the profiler: " + obstacle);
  } else if (const int status = Prepare(config, options, program.path); status != 0) {
    return status;
  }

  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  execvp(program.path.c_str(), arguments.data());  // also runs a script without "#!"
  return CannotRun(words[0], errno);
}

}  // namespace

void AddRecordCommand(CLI::App* app, std::optional<std::vector<std::string>> after_dashes, int* status) {
  auto options = std::make_shared<RecordArguments>();
  CLI::App* command = app->add_subcommand("record", "Run a program and write a profile of it");
  command->footer(
      "The program and its arguments follow the options. Output, exit status and signals are the program's. During a\n"
      "run of more than five seconds, the terminal's last row shows time, samples and losses. At the end, a line on\n"
      "standard error names the profile: of several processes their number and a pattern of their names, and of the\n"
      "ranks of an MPI job rank 0's. -q leaves both out.\n"
      "\n" +
      (kEnvironmentHeading + EnvironmentHelp()) +
      "\n"
      "Examples:\n"
      "  ompprof record ./stencil 1000                    writes ompprof.stencil.HOST.PID.ompprof\n"
      "  ompprof record -F 997 -o run.ompprof -- ./stencil --steps 1000\n"
      "  ompprof record --event=cache-misses ./stencil    where a hardware event happens\n"
      "  ompprof record --count=cycles,instructions ./stencil    also each function's instructions per cycle\n"
      "  mpirun -n 4 ompprof record -o 'run.%r.ompprof' -- ./hybrid\n"
      "  srun -n 10000 ompprof record -o 'run/%r.ompprof' --ranks=1/64 --stage=/tmp -- ./hybrid");
  // All words after the program's name belong to the program.
  command->prefix_command();
  AddSettingOptions(command, options->settings);
  command->add_flag("-q,--quiet", options->quiet, "No progress line, and no line about the profile at the end");
  command->add_flag("--run-anyway", options->run_anyway,
                    "Run the program without a profile if the profile cannot be written, or if the machine does not "
                    "count an event");
  command->callback([options, status, command, after_dashes = std::move(after_dashes)] {
    std::vector<std::string> words = command->remaining();
    // The parser takes an option that it does not know for the program's name.
    if (!words.empty() && words[0].size() > 1 && words[0][0] == '-') {
      Complain(NoSuchOption(*command, words[0]));
      *status = kUsage;
      return;
    }
    if (after_dashes) {
      // After the program's name a "--" is an argument like others.
      if (!words.empty()) words.push_back("--");
      words.insert(words.end(), after_dashes->begin(), after_dashes->end());
    }
    *status = Run(*command, *options, words);
  });
}

}  // namespace ompprof::cli
