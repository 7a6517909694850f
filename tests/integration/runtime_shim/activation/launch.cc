#include "tests/integration/runtime_shim/activation/launch.h"

#include <stdlib.h>

#include <sstream>

namespace gomp_ompt {
namespace {

using ompprof::testing::Launch;
using ompprof::testing::Load;
using ompprof::testing::RunCommand;
using ompprof::testing::RunProgram;

std::string Absolute(const std::string& path) {
  char* resolved = realpath(path.c_str(), nullptr);
  const std::string absolute = resolved != nullptr ? resolved : "";
  free(resolved);
  return absolute;
}

// Bazel starts a test in the root of its runfiles.
const std::string& Shim() {
  static const std::string path = Absolute("runtime_shim/libgomp_ompt.so");
  return path;
}

// A shim built with a sanitizer needs the sanitizer's library before all others.
std::string SanitizerLibrary() {
#if defined(__SANITIZE_ADDRESS__)
  const char* name = "libasan.so";
#elif defined(__SANITIZE_THREAD__)
  const char* name = "libtsan.so";
#else
  const char* name = nullptr;
#endif
  if (name == nullptr) return "";
  std::string path = RunCommand({"gcc", std::string("-print-file-name=") + name}).out;
  while (!path.empty() && path.back() == '\n') path.pop_back();
  return path + " ";
}

bool IsToolLine(const std::string& line, const std::string& name) { return line.rfind(name + " ", 0) == 0; }

}  // namespace

std::string Built(const std::string& name) { return Absolute("tests/integration/runtime_shim/activation/" + name); }

Outcome RunUnderShim(const std::string& program, const std::vector<std::string>& arguments,
                     const Environment& environment, const std::vector<std::string>& also_preloaded) {
  static const std::string sanitizer = SanitizerLibrary();
  std::string preload = sanitizer + Shim();
  for (const std::string& library : also_preloaded) preload += " " + (library[0] == '/' ? library : Built(library));
  Launch launch;
  launch.program = program[0] == '/' ? program : Built(program);
  launch.arguments = arguments;
  launch.load = Load::kNone;
  launch.environment = environment;
  launch.environment["LD_PRELOAD"] = preload;
  launch.environment["ASAN_OPTIONS"] = "detect_leaks=0";
  // libgomp is not instrumented. A child of a fork in a program with threads starts threads itself.
  launch.environment["TSAN_OPTIONS"] = "ignore_noninstrumented_modules=1:die_after_fork=0:atexit_sleep_ms=0";
  return RunProgram(launch);
}

std::vector<std::string> ToolLines(const Outcome& outcome, const std::string& name) {
  std::vector<std::string> found;
  std::istringstream lines(outcome.err);
  for (std::string line; std::getline(lines, line);)
    if (IsToolLine(line, name)) found.push_back(line.substr(name.size() + 1));
  return found;
}

std::string OtherLines(const Outcome& outcome) {
  std::string others;
  std::istringstream lines(outcome.err);
  for (std::string line; std::getline(lines, line);)
    if (!IsToolLine(line, "tool") && !IsToolLine(line, "second")) others += line + "\n";
  return others;
}

bool IsDone(const Outcome& outcome) { return outcome.Exited(0) && outcome.out == "done\n"; }

}  // namespace gomp_ompt
