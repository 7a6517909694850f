#include "tests/integration/harness.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <sstream>

namespace ompprof::testing {
namespace {

// Bazel starts a test in the root of its runfiles. The path is asked once, before any test changes directory.
const std::string& RunfilesRoot() {
  static const std::string root = [] {
    char path[4096];
    return std::string(getcwd(path, sizeof path) != nullptr ? path : ".");
  }();
  return root;
}

// The source tree, which has .deps/. Runfiles are links into the tree.
std::string SourceRoot() {
  char path[4096];
  const std::string suffix = "/tests/integration/BUILD";
  if (realpath((RunfilesRoot() + suffix).c_str(), path) == nullptr) return "";
  const std::string build_file = path;
  return build_file.substr(0, build_file.size() - suffix.size());
}

std::string ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<std::string> ProfilesIn(const std::string& folder) {
  std::vector<std::string> paths;
  DIR* directory = opendir(folder.c_str());
  if (directory == nullptr) return paths;
  constexpr char kSuffix[] = ".ompprof";
  while (const dirent* entry = readdir(directory)) {
    const std::string name = entry->d_name;
    if (name.size() > strlen(kSuffix) && name.compare(name.size() - strlen(kSuffix), std::string::npos, kSuffix) == 0) {
      paths.push_back(folder + "/" + name);
    }
  }
  closedir(directory);
  std::sort(paths.begin(), paths.end());
  return paths;
}

double Seconds() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

// Programs take seconds, and many times as long where they spin beside other programs. One that takes longer hangs.
constexpr double kLimitSeconds = 240;

// Waits for `child`, and ends its whole process group after kLimitSeconds.
int WaitFor(pid_t child, bool* timed_out) {
  int status = 0;
  const double end = Seconds() + kLimitSeconds;
  for (;;) {
    const pid_t got = waitpid(child, &status, WNOHANG);
    if (got == child || (got < 0 && errno != EINTR)) return status;
    if (Seconds() > end && !*timed_out) {
      *timed_out = true;
      kill(-child, SIGKILL);
    }
    usleep(2000);
  }
}

std::vector<char*> Pointers(std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  for (std::string& text : strings) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

// Runs in the child and never returns. The streams are files, not pipes, so nobody has to keep reading them.
[[noreturn]] void Become(std::vector<std::string> command, std::vector<std::string> environment,
                         const std::string& folder, const std::string& scratch) {
  setpgid(0, 0);
  const int in = open((scratch + "/in").c_str(), O_RDONLY);
  const int out = open((scratch + "/out").c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0666);
  const int err = open((scratch + "/err").c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0666);
  if (in < 0 || out < 0 || err < 0 || dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(err, 2) < 0) _exit(126);
  close(in);
  close(out);
  close(err);
  if (chdir(folder.c_str()) != 0) _exit(126);
  execvpe(command[0].c_str(), Pointers(command).data(), Pointers(environment).data());
  _exit(127);
}

// Moves the lines of `record` about the profile out of the program's standard error. The program's own last line may
// lack its end.
void TakeLastLines(Outcome* outcome) {
  const std::string name = "ompprof: ";
  std::string& err = outcome->err;
  for (size_t at = err.find(name + "wrote "); at != std::string::npos; at = err.find(name + "wrote ", at)) {
    const size_t end = std::min(err.find('\n', at), err.size());
    outcome->last_lines.push_back(err.substr(at + name.size(), end - at - name.size()));
    err.erase(at, end + 1 - at);
  }
}

Outcome Spawn(const std::vector<std::string>& command, const std::map<std::string, std::string>& environment,
              const std::string& folder, const std::string& input) {
  Outcome outcome;
  outcome.folder = folder.empty() ? NewFolder() : folder;
  const std::string scratch = NewFolder();
  std::ofstream(scratch + "/in", std::ios::binary) << input;
  std::vector<std::string> settings;
  for (const auto& [name, value] : environment) settings.push_back(name + "=" + value);
  const pid_t child = fork();
  if (child < 0) return outcome;
  if (child == 0) Become(command, settings, outcome.folder, scratch);
  outcome.started = true;
  outcome.status = WaitFor(child, &outcome.timed_out);
  outcome.out = ReadFile(scratch + "/out");
  outcome.err = ReadFile(scratch + "/err");
  TakeLastLines(&outcome);
  outcome.profiles = ProfilesIn(outcome.folder);
  return outcome;
}

std::map<std::string, std::string> BaseEnvironment() {
  std::map<std::string, std::string> environment = {
      {"PATH", "/usr/local/bin:/usr/bin:/bin"}, {"HOME", "/tmp"}, {"LANG", "C.UTF-8"}};
  constexpr char kGeneration[] = "GOMP_OMPT_GENERATION";
  if (const char* generation = getenv(kGeneration)) environment[kGeneration] = generation;
  return environment;
}

std::string Lines(const std::string& text, bool ours, int* count) {
  std::istringstream lines(text);
  std::string line, kept;
  while (std::getline(lines, line)) {
    if ((line.rfind("ompprof:", 0) == 0) == ours) {
      kept += line + "\n";
      ++*count;
    }
  }
  return kept;
}

}  // namespace

bool Outcome::Exited(int code) const {
  return started && !timed_out && WIFEXITED(status) && WEXITSTATUS(status) == code;
}

bool Outcome::Killed(int signal) const {
  return started && !timed_out && WIFSIGNALED(status) && WTERMSIG(status) == signal;
}

std::string Outcome::Describe() const {
  std::ostringstream text;
  if (!started) {
    text << "not started";
  } else if (timed_out) {
    text << "killed at the time limit";
  } else if (WIFEXITED(status)) {
    text << "exit status " << WEXITSTATUS(status);
  } else {
    text << "signal " << WTERMSIG(status);
  }
  text << "\n-- stdout\n" << out.substr(0, 4000) << "-- stderr\n" << err.substr(0, 4000) << "--";
  return text.str();
}

// A folder with an OpenMP runtime that the tests do not bring, of any generation: for trying the tests on it by hand.
const char* RuntimeByHand() { return getenv("TEST_OPENMP_RUNTIME"); }

// As `ompprof record` decides it.
bool WantsOlderOmpt(const Launch& launch, const std::map<std::string, std::string>& environment) {
  if (RuntimeByHand() != nullptr) return true;
  std::string generation;
  if (const auto own = launch.environment.find("GOMP_OMPT_GENERATION"); own != launch.environment.end())
    generation = own->second;
  else if (const auto base = environment.find("GOMP_OMPT_GENERATION"); base != environment.end())
    generation = base->second;
  return generation == "tr2" || generation == "draft";
}

Outcome RunProgram(const Launch& launch) {
  const std::string program =
      launch.program.find('/') == std::string::npos ? ProgramPath(launch.program) : launch.program;
  const std::string collector = launch.collector.empty() ? CollectorPath() : launch.collector;
  std::map<std::string, std::string> environment = BaseEnvironment();
  std::vector<std::string> command;
  std::string preload = launch.preload_also;
  environment["OMP_NUM_THREADS"] = std::to_string(launch.threads);
  if (RuntimeByHand() != nullptr) environment["LD_LIBRARY_PATH"] = RuntimeByHand();
  if (launch.libomp != 0) environment["LD_LIBRARY_PATH"] = RuntimeFolder(launch.libomp);
  if (launch.load != Load::kNone && launch.frequency != 0) {
    environment["OMPPROF_FREQUENCY"] = std::to_string(launch.frequency);
  }
  switch (launch.load) {
    case Load::kNone:
      break;
    case Load::kRecord:
      command = {OmpprofPath(), "record"};
      command.insert(command.end(), launch.record_options.begin(), launch.record_options.end());
      command.push_back("--");
      break;
    case Load::kPreload:
      preload += (preload.empty() ? "" : ":") + collector;
      if (WantsOlderOmpt(launch, environment)) preload += ":" + OlderOmptPath();
      break;
    case Load::kToolLibraries:
      environment["OMP_TOOL_LIBRARIES"] = collector;
      break;
  }
  if (!preload.empty()) environment["LD_PRELOAD"] = preload;
  for (const auto& [name, value] : launch.environment) environment[name] = value;
  command.push_back(program);
  command.insert(command.end(), launch.arguments.begin(), launch.arguments.end());
  return Spawn(command, environment, launch.folder, launch.input);
}

Outcome RunCommand(const std::vector<std::string>& command, const std::string& folder) {
  return Spawn(command, BaseEnvironment(), folder, "");
}

std::string NewFolder() {
  const char* base = getenv("TEST_TMPDIR");
  std::string pattern = std::string(base != nullptr ? base : "/tmp") + "/ompprof-XXXXXX";
  return mkdtemp(pattern.data()) != nullptr ? pattern : "";
}

std::string BuiltPath(const std::string& path) { return RunfilesRoot() + "/" + path; }
std::string ProgramPath(const std::string& name) { return RunfilesRoot() + "/tests/programs/" + name; }
std::string OmpprofPath() { return RunfilesRoot() + "/tests/integration/installed/bin/ompprof"; }
std::string CollectorPath() { return RunfilesRoot() + "/tests/integration/installed/lib/libompprof.so"; }
std::string ReferenceDevicePath() { return RunfilesRoot() + "/runtime_shim/device/libgomp_reference_device.so"; }
std::string OlderOmptPath() { return RunfilesRoot() + "/tests/integration/installed/lib/libompprof_older_ompt.so"; }
std::string ShimPath() { return RunfilesRoot() + "/tests/integration/installed/lib/libgomp_ompt.so"; }
std::string TestingCollectorPath() { return RunfilesRoot() + "/profiler/collect/libompprof_testing.so"; }

std::string FastTreeSource() {
  const std::string path = SourceRoot() + "/.deps/fasttree/fasttree.c";
  return access(path.c_str(), R_OK) == 0 ? path : "";
}

std::string OffloadFolder() { return SourceRoot() + "/.deps/libomp-19-dev"; }

std::string RuntimeFolder(int libomp) {
  const std::string folder = SourceRoot() + "/.deps/libomp-" + std::to_string(libomp) + "/lib";
  return access((folder + "/libomp.so.5").c_str(), R_OK) == 0 ? folder : "";
}

std::string ForeignLines(const std::string& err) {
  int count = 0;
  return Lines(err, false, &count);
}

int WarningLines(const std::string& err) {
  int count = 0;
  Lines(err, true, &count);
  return count;
}

}  // namespace ompprof::testing
