#include "profiler/model/command_output.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace ompprof::model {
namespace {

std::string ReadToEnd(int file) {
  std::string text;
  char buffer[1 << 16];
  for (ssize_t size; (size = read(file, buffer, sizeof buffer)) != 0;) {
    if (size < 0 && errno != EINTR) break;
    if (size > 0) text.append(buffer, static_cast<size_t>(size));
  }
  return text;
}

}  // namespace

CommandOutput RunForOutput(const std::vector<std::string>& words) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return {"", std::strerror(errno), false};
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
  CommandOutput output;
  if (failed == 0) output.text = ReadToEnd(ends[0]);
  close(ends[0]);
  if (failed != 0) return {"", std::strerror(failed), false};
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) output.problem = "it failed";
  return output;
}

std::string OutputOf(const std::vector<std::string>& words) {
  const CommandOutput output = RunForOutput(words);
  return output.problem.empty() ? output.text : "";
}

}  // namespace ompprof::model
