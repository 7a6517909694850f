#include "profiler/cli/output/terminal.h"

#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "profiler/cli/options/complaint.h"
#include "profiler/cli/options/values.h"

namespace ompprof::cli {
namespace {

// A shell's exit status for a command that does not exist.
constexpr int kNoSuchCommand = 127;
constexpr size_t kUsualColumns = 80;
constexpr size_t kUsualLines = 24;
constexpr size_t kLeastColumns = 40;  // narrower tables are cut to nothing

bool OnTerminal() { return isatty(STDOUT_FILENO) != 0; }

std::string Variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// The number in the variable `name`, COLUMNS or LINES; 0 if the variable has no number.
size_t Number(const char* name) { return static_cast<size_t>(std::strtoul(Variable(name).c_str(), nullptr, 10)); }

winsize Size() {
  winsize size = {};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) size = {};
  return size;
}

size_t ScreenColumns() {
  if (const size_t columns = Number("COLUMNS")) return columns;
  return Size().ws_col > 0 ? Size().ws_col : kUsualColumns;
}

size_t ScreenLines() {
  if (const size_t lines = Number("LINES")) return lines;
  return Size().ws_row > 0 ? Size().ws_row : kUsualLines;
}

// Writes all of `text`. False on an error. A reader that has gone is no error.
bool WriteAll(int fd, const std::string& text) {
  for (size_t at = 0; at < text.size();) {
    const ssize_t written = write(fd, text.data() + at, text.size() - at);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno == EPIPE;
    at += static_cast<size_t>(written);
  }
  return true;
}

std::string Pager() {
  for (const char* name : {"OMPPROF_PAGER", "PAGER"}) {
    const char* value = std::getenv(name);
    if (value != nullptr) return std::strcmp(value, "cat") == 0 ? "" : value;
  }
  return "less -RFX";
}

// False if the pager could not be run: then nothing has been shown.
bool Page(const std::string& pager, const std::string& text) {
  int ends[2];
  if (pipe(ends) != 0) return false;
  const pid_t child = fork();
  if (child < 0) {
    close(ends[0]);
    close(ends[1]);
    return false;
  }
  if (child == 0) {
    dup2(ends[0], STDIN_FILENO);
    close(ends[0]);
    close(ends[1]);
    signal(SIGPIPE, SIG_DFL);
    setenv("LESS", "RFX", 0);  // for PAGER=less, as git does
    // PAGER is a command with arguments for a shell, as for every program that reads PAGER.
    execl("/bin/sh", "sh", "-c", pager.c_str(), static_cast<char*>(nullptr));
    _exit(kNoSuchCommand);
  }
  close(ends[0]);
  // An interrupt is for the pager. ompprof stays until the pager has given the terminal back.
  signal(SIGINT, SIG_IGN);
  WriteAll(ends[1], text);
  close(ends[1]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  signal(SIGINT, SIG_DFL);
  return !WIFEXITED(status) || WEXITSTATUS(status) != kNoSuchCommand;
}

}  // namespace

void AddOutputOptions(CLI::App* command, OutputOptions* options) {
  constexpr char kGroup[] = "Terminal";
  command->add_option("--color", options->color, "Colours. auto: on a terminal, unless NO_COLOR is set; always; never")
      ->check(OneOf({"auto", "always", "never"}))
      ->capture_default_str()
      ->group(kGroup);
  command
      ->add_option("--width", options->width,
                   "Columns of the text (default: COLUMNS or the terminal's width; no limit in a file or pipe)")
      ->type_name("N")
      ->check(Whole(1))
      ->group(kGroup);
  command
      ->add_flag("--no-pager", options->no_pager, "Do not show long reports in $OMPPROF_PAGER, $PAGER or `less -RFX`")
      ->group(kGroup);
}

report::Style StyleOf(const OutputOptions& options) {
  report::Style style;
  const bool plain = !Variable("NO_COLOR").empty() || Variable("TERM") == "dumb";
  style.color = options.color == "always" || (options.color == "auto" && OnTerminal() && !plain);
  style.width = options.width > 0 ? options.width : OnTerminal() ? ScreenColumns() : 0;
  if (style.width > 0) style.width = std::max(style.width, kLeastColumns);
  return style;
}

int Print(const std::string& text, const OutputOptions& options) {
  signal(SIGPIPE, SIG_IGN);
  const std::string pager = Pager();
  const size_t lines = static_cast<size_t>(std::count(text.begin(), text.end(), '\n'));
  if (!options.no_pager && !pager.empty() && OnTerminal() && lines >= ScreenLines() && Page(pager, text))
    return kSuccess;
  if (WriteAll(STDOUT_FILENO, text)) return kSuccess;
  Complain(std::string("the report cannot be written to standard output: ") + std::strerror(errno));
  return kFailure;
}

}  // namespace ompprof::cli
