#include "profiler/report/annotate_disassembly.h"

#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "profiler/report/units.h"

namespace ompprof::report {
namespace {

// A larger function is a table of data with a function's symbol.
constexpr uint64_t kLargest = 4 << 20;

std::string Hex(uint64_t value) {
  char text[32];
  std::snprintf(text, sizeof text, "0x%" PRIx64, value);
  return text;
}

// Runs the command `words`, found by PATH, and returns its standard output. Sets `*error` if the command did not run or
// failed.
std::string OutputOf(const std::vector<std::string>& words, std::string* error) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    *error = std::strerror(errno);
    return "";
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t child = 0;
  const int failed = posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  std::string text;
  if (failed == 0) {
    char buffer[1 << 16];
    for (ssize_t size; (size = read(ends[0], buffer, sizeof buffer)) != 0;) {
      if (size < 0 && errno != EINTR) break;
      if (size > 0) text.append(buffer, static_cast<size_t>(size));
    }
  }
  close(ends[0]);
  if (failed != 0) {
    *error = std::strerror(failed);
    return "";
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) *error = "it failed";
  return text;
}

}  // namespace

std::vector<Instruction> ParseDisassembly(const std::string& text) {
  std::vector<Instruction> instructions;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    at = end + 1;
    char* after = nullptr;
    const uint64_t address = std::strtoull(line.c_str(), &after, 16);
    if (after == line.c_str() || *after != ':') continue;
    // LLVM's objdump pads with blanks before the tab.
    const size_t tab = line.find_first_not_of(' ', static_cast<size_t>(after - line.c_str()) + 1);
    if (tab == std::string::npos || line[tab] != '\t') continue;
    std::string code = line.substr(tab + 1);
    for (char& c : code) {
      if (c == '\t') c = ' ';
    }
    code.erase(code.find_last_not_of(' ') + 1);
    if (!instructions.empty() && address <= instructions.back().address) continue;
    instructions.push_back({address, Printable(code)});
  }
  return instructions;
}

Disassembly Disassemble(const std::string& objdump, const std::string& path, uint64_t low, uint64_t high) {
  Disassembly result;
  char absolute[PATH_MAX];  // absolute, so that objdump takes no path for an option
  if (realpath(path.c_str(), absolute) == nullptr || high <= low || high - low > kLargest) {
    result.problem = "there is no code of it that could be shown";
    return result;
  }
  std::string error;
  const std::string text = OutputOf({objdump, "-d", "-C", "--no-show-raw-insn", "--start-address=" + Hex(low),
                                     "--stop-address=" + Hex(high), absolute},
                                    &error);
  result.instructions = ParseDisassembly(text);
  if (result.instructions.empty())
    result.problem = Printable(objdump) + " could not disassemble it" + (error.empty() ? "" : ": " + error) +
                     "; it is in the package binutils, and --objdump=PATH names another";
  return result;
}

}  // namespace ompprof::report
