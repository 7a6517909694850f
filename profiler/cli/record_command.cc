#include "profiler/cli/record_command.h"

#include <limits.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "profiler/cli/load.h"
#include "profiler/cli/preload_check.h"
#include "profiler/cli/profile_family.h"
#include "profiler/cli/progress.h"
#include "profiler/cli/record_options.h"
#include "profiler/config/output_name.h"

namespace ompprof::cli {
namespace {

// What a shell exits with when it cannot run a command.
constexpr int kNotFound = 127;
constexpr int kNotRunnable = 126;

std::string OwnFolder() {
  char path[PATH_MAX];
  const ssize_t size = readlink("/proc/self/exe", path, sizeof path);
  const std::string self(path, size > 0 ? static_cast<size_t>(size) : 0);
  return self.substr(0, self.rfind('/'));
}

// The first of `places` that is there, empty if none is. `tried` names them all.
std::string FirstThere(const std::vector<std::string>& places, std::string* tried) {
  for (const std::string& place : places) {
    char resolved[PATH_MAX];
    if (realpath(place.c_str(), resolved) != nullptr) return resolved;
    *tried += (tried->empty() ? "" : ", ") + place;
  }
  return "";
}

// Under lib, where Debian's package puts what is one package's own.
#if defined(__x86_64__)
constexpr char kPackageLibraries[] = "/../lib/x86_64-linux-gnu/ompprof/";
#elif defined(__aarch64__)
constexpr char kPackageLibraries[] = "/../lib/aarch64-linux-gnu/ompprof/";
#else
constexpr char kPackageLibraries[] = "/../lib/ompprof/";
#endif

// libompprof.so as installed, or as built in this tree. Empty and a complaint if there is none.
std::string FindCollector() {
  const std::string folder = OwnFolder();
  const char* chosen = std::getenv("OMPPROF_LIBRARY");
  const std::vector<std::string> places =
      chosen != nullptr
          ? std::vector<std::string>{chosen}
          : std::vector<std::string>{folder + "/../lib/libompprof.so", folder + kPackageLibraries + "libompprof.so",
                                     folder + "/../collect/libompprof.so"};
  std::string tried;
  const std::string found = FirstThere(places, &tried);
  if (found.empty())
    Complain("the collector libompprof.so is not there (looked at " + tried + "); OMPPROF_LIBRARY can name it");
  return found;
}

// libgomp_ompt.so, found likewise; without it there is a warning, and GCC's programs are profiled less well.
std::string FindShim() {
  const std::string folder = OwnFolder();
  std::string tried;
  const std::string found =
      FirstThere({folder + "/../lib/libgomp_ompt.so", folder + kPackageLibraries + "libgomp_ompt.so",
                  folder + "/../../runtime_shim/libgomp_ompt.so"},
                 &tried);
  if (found.empty())
    Complain("warning: libgomp_ompt.so is not there (looked at " + tried +
             "): a program compiled by gcc is profiled without regions and states. --gomp-shim=off says that this is "
             "meant");
  return found;
}

// LD_PRELOAD's list has no way to say a blank or a colon.
bool Preloadable(const std::string& path) {
  if (path.find_first_of(": ") == std::string::npos) return true;
  Complain("the path '" + path + "' has a space or a colon in it, which LD_PRELOAD cannot express");
  return false;
}

// AddressSanitizer's runtime, as a library of its own, ends a program in which another library is loaded before it, as
// a preloaded one is. It is enough that it comes at all. What the user has set comes later, and is obeyed.
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

// A name for all that this command starts: no other run has it. The ranks of an MPI job, whose launcher starts this
// command once for each, share the job's.
std::string RunName() {
  if (*config::MpiRank() != '\0' && *config::MpiJob() != '\0') return std::string("job ") + config::MpiJob();
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return HostName() + " " + std::to_string(getpid()) + " " + std::to_string(now.tv_sec) + "." +
         std::to_string(now.tv_nsec);
}

// The profiles of an earlier run that stand where the program's is to be written.
model::Status MoveEarlierRunAside(const config::Config& config, const std::string& program, const std::string& run) {
  char folder[PATH_MAX];
  if (getcwd(folder, sizeof folder) == nullptr) return {};
  const std::string host = HostName();
  const std::string name = program.substr(program.rfind('/') + 1);
  const config::OutputNameParts parts{folder, name.c_str(), host.c_str(), config::MpiRank(), getpid(), 0};
  char path[PATH_MAX];
  if (!config::ExpandOutputName(config.output, parts, path, sizeof path)) return {};
  return MoveFamilyAside(path, run);
}

int CannotRun(const std::string& program, int error) {
  Complain("cannot run '" + program + "': " + std::strerror(error));
  return error == ENOENT ? kNotFound : kNotRunnable;
}

int Run(const RecordOptions& options, const std::vector<std::string>& words) {
  Environment environment;
  config::Config config;
  if (const model::Status checked = ToEnvironment(options, &environment, &config); !checked.ok()) {
    Complain(checked.sentence());
    return kUsage;
  }
  if (words.empty()) {
    Complain("record: name the program to run, as in `ompprof record -- ./program`");
    return kUsage;
  }
  const FoundProgram program = FindProgram(words[0]);
  if (program.error != 0) return CannotRun(words[0], program.error);

  const std::string obstacle = WhyNotPreloadable(program.path);
  if (!obstacle.empty()) {
    Complain("warning: '" + words[0] + "' cannot be profiled, " + obstacle + "; it runs without the profiler");
  } else {
    std::string preload = FindCollector();
    if (preload.empty() || !Preloadable(preload)) return kFailure;
    // Always, not only for a program that links libgomp: a library that it loads later may, or a process that it
    // starts. The shim does nothing where nobody calls libgomp.
    const std::string shim = config.gomp_shim ? FindShim() : "";
    if (!shim.empty() && Preloadable(shim)) preload += ":" + shim;
    const char* others = std::getenv("LD_PRELOAD");
    if (others != nullptr && *others != '\0') preload += std::string(":") + others;
    environment.emplace_back("LD_PRELOAD", preload);
    environment.emplace_back("ASAN_OPTIONS", WithAnyLinkOrder(std::getenv("ASAN_OPTIONS")));
    // exec keeps the process id: this is how the collector tells the program from those it starts.
    environment.emplace_back("OMPPROF_MAIN_PID", std::to_string(getpid()));
    const std::string run = RunName();
    environment.emplace_back("OMPPROF_RUN", run);
    if (const model::Status moved = MoveEarlierRunAside(config, program.path, run); !moved.ok()) {
      Complain(moved.sentence());
      return kUsage;
    }
    for (const auto& [name, value] : environment) setenv(name.c_str(), value.c_str(), 1);
    if (!options.quiet) StartProgress();
  }

  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  execvp(program.path.c_str(), arguments.data());  // execvp also runs a script without "#!"
  return CannotRun(words[0], errno);
}

}  // namespace

void AddRecordCommand(CLI::App* app, std::optional<std::vector<std::string>> after_dashes, int* status) {
  auto options = std::make_shared<RecordOptions>();
  CLI::App* command = app->add_subcommand("record", "Run a program and write a profile of it");
  command->footer(
      "Then the program and its arguments. Output, exit status and signals are the program's. On a terminal the\n"
      "last row shows time, samples and losses of a run of more than five seconds.\n"
      "\n"
      "Examples:\n"
      "  ompprof record ./stencil 1000                    writes ompprof.stencil.HOST.PID.ompprof\n"
      "  ompprof record -F 997 -o run.ompprof -- ./stencil --steps 1000\n"
      "  ompprof record --event=cache-misses ./stencil    where a hardware event happens\n"
      "  mpirun -n 4 ompprof record -o 'run.%r.ompprof' -- ./hybrid");
  // What follows the program's name is the program's.
  command->prefix_command();
  const auto add = [&](const char* name, std::string* value, const char* type, const char* help) {
    command->add_option(name, *value, help)->type_name(type);
  };
  add("-F,--frequency", &options->frequency, "HZ", "Samples per second of each thread's CPU time, 1 to 10000 (199)");
  add("-o,--output", &options->output, "FILE",
      "Where to write; %h, %p, %r: host, process, rank (ompprof.PROGRAM.%h.%p.ompprof)");
  add("--clock", &options->clock, "CLOCK",
      "cpu (the default), or wall: also samples threads that wait, by interrupting their system calls");
  add("-e,--event", &options->event, "EVENT", "Sample by a perf event instead, such as task-clock or cycles");
  add("--signal", &options->signal, "SIGNAL", "The signal that takes samples, a number or a name like RTMIN+3 (PROF)");
  add("--unwind", &options->unwind, "HOW",
      "cfi (the default), fp: frame pointers, or libunwind: for comparison, it can itself fault in the program");
  add("--max-depth", &options->max_depth, "N", "Frames kept of a deep stack");
  add("--max-memory", &options->max_memory, "SIZE", "The most memory the collector may use, such as 256M");
  add("--task-context", &options->task_context, "HOW",
      "Explicit tasks are shown at their creation's site (the default), under its full path, or none");
  add("--delay", &options->delay, "SECONDS", "Begin to sample after this time");
  add("--flush-interval", &options->flush_interval, "SECONDS", "How often the file is brought up to date");
  add("--waits", &options->waits, "HOW",
      "on (the default), or off: sampling alone, for programs with millions of locks or barriers; no exact waits, "
      "blame, locks or advice, and what a sampled thread waits for is as vague as the runtime says it");
  add("--max-overhead", &options->max_overhead, "PERCENT",
      "What OpenMP events may cost of the program's CPU time (3). Waits of events that would cost more are estimated, "
      "and the report says which; 0: every wait is measured, whatever it costs");
  add("--gomp-shim", &options->gomp_shim, "HOW",
      "auto (the default): programs on GCC's libgomp show regions, tasks and states, through libgomp_ompt.so; or off");
  command->add_flag("--paused", options->paused, "Begin paused: the program starts the sampling (omp_control_tool)");
  command->add_flag("--timeline", options->timeline,
                    "Keep when each sample was taken and each longer wait began and ended, for timelines");
  command->add_flag("-q,--quiet", options->quiet, "No progress line");
  command->add_flag("--no-children", options->no_children, "Do not profile the processes that the program starts");
  command->callback([options, status, command, after_dashes] {
    std::vector<std::string> words = command->remaining();
    if (after_dashes) {
      // After the program's name a "--" is an argument like others.
      if (!words.empty()) words.push_back("--");
      words.insert(words.end(), after_dashes->begin(), after_dashes->end());
    }
    *status = Run(*options, words);
  });
}

}  // namespace ompprof::cli
