#include "profiler/cli/progress.h"

#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <memory>

#include "profiler/cli/find_log.h"
#include "profiler/model/file_source.h"
#include "profiler/report/units.h"

namespace ompprof::cli {
namespace {

constexpr int kPatienceMs = 5000;
constexpr int kIntervalMs = 1000;
constexpr int kFewestRows = 4;
constexpr int kTerminal = STDERR_FILENO;
constexpr int kProgram = 3;  // descriptor of the program's process

// The reserved row.
class BottomRow {
 public:
  ~BottomRow() { Hide(); }

  void Show(const std::string& text) {
    winsize size{};
    if (ioctl(kTerminal, TIOCGWINSZ, &size) != 0 || size.ws_row < kFewestRows || size.ws_col < 10) return Hide();
    if (rows_ != size.ws_row) {
      Hide();
      rows_ = size.ws_row;
      // Makes room below the cursor and keeps its column; then all rows but the last scroll.
      Write("\033D\033[1A\0337\033[1;" + std::to_string(rows_ - 1) + "r\0338");
    }
    Write("\0337\033[" + std::to_string(rows_) + ";1H" + text.substr(0, size.ws_col - 1u) + "\033[K\0338");
  }

  void Hide() {
    if (rows_ == 0) return;
    winsize size{};
    const int all = ioctl(kTerminal, TIOCGWINSZ, &size) == 0 && size.ws_row != 0 ? size.ws_row : rows_;
    Write("\0337\033[1;" + std::to_string(all) + "r\033[" + std::to_string(rows_) + ";1H\033[K\0338");
    rows_ = 0;
  }

 private:
  // In one piece, because the program writes to the same terminal.
  static void Write(const std::string& text) {
    if (write(kTerminal, text.data(), text.size()) < 0) return;  // the terminal is gone: nobody looks
  }

  int rows_ = 0;  // of the terminal, 0: not shown
};

// True once the program has ended.
bool EndsWithin(int ms) {
  pollfd program{kProgram, POLLIN, 0};
  return poll(&program, 1, ms) != 0;
}

void Watch(pid_t program) {
  timespec start;
  clock_gettime(CLOCK_MONOTONIC, &start);
  if (EndsWithin(kPatienceMs)) return;
  BottomRow row;
  std::unique_ptr<LogTotals> totals;
  do {
    if (totals == nullptr) {
      const FoundLog found = FindLog(program);
      model::ByteSource source;
      if (!found.path.empty() && model::OpenFileSource(found.path, &source).ok())
        totals = std::make_unique<LogTotals>(std::move(source));
    }
    if (totals != nullptr && !totals->Read()) return;
    // The program is stopped or in the background: another program has the terminal.
    if (tcgetpgrp(kTerminal) != getpgid(program)) {
      row.Hide();
      continue;
    }
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    row.Show(ProgressText(static_cast<uint64_t>(now.tv_sec - start.tv_sec), totals != nullptr ? totals->samples() : 0,
                          totals != nullptr ? totals->lost() : 0));
  } while (!EndsWithin(kIntervalMs));
}

}  // namespace

bool LogTotals::Read() {
  if (!opened_) {
    if (!log_.Open().ok()) return log_.unread() < model::kMagicSize;
    opened_ = true;
  }
  for (;;) {
    const model::RecordLog::Next next = log_.Read(&record_);
    if (next == model::RecordLog::Next::kEnd || next == model::RecordLog::Next::kCut) return true;
    if (next != model::RecordLog::Next::kRecord) return false;
    for (const uint32_t samples : record_.samples().samples()) samples_ += samples;
    if (record_.kind_case() != Record::kLost) continue;
    lost_ = 0;
    const Lost& lost = record_.lost();
    for (int i = 0; i < lost.samples_size() && i < lost.reason_size(); ++i) {
      if (lost.reason(i) != LOST_NO_TIMER) lost_ += lost.samples(i);
    }
  }
}

std::string ProgressText(uint64_t seconds, uint64_t samples, uint64_t lost) {
  char elapsed[64];
  if (seconds < 3600) {
    std::snprintf(elapsed, sizeof elapsed, "%d:%02d", static_cast<int>(seconds / 60), static_cast<int>(seconds % 60));
  } else {
    std::snprintf(elapsed, sizeof elapsed, "%llu:%02d:%02d", static_cast<unsigned long long>(seconds / 3600),
                  static_cast<int>(seconds / 60 % 60), static_cast<int>(seconds % 60));
  }
  return std::string("ompprof: ") + elapsed + ", " + report::Count(samples) +
         (samples == 1 ? " sample, " : " samples, ") + report::Count(lost) + " lost";
}

void StartProgress() {
  const char* terminal = std::getenv("TERM");
  // Process 1 of a container would become the watcher's parent.
  if (isatty(kTerminal) == 0 || terminal == nullptr || std::strcmp(terminal, "dumb") == 0 || getpid() == 1) return;
  const pid_t program = getpid();
  const long descriptor = syscall(SYS_pidfd_open, program, 0);
  if (descriptor < 0) return;  // before Linux 5.3
  const pid_t child = fork();
  if (child > 0) {
    while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
    }
    close(static_cast<int>(descriptor));
  }
  if (child != 0) {
    if (child < 0) close(static_cast<int>(descriptor));
    return;
  }
  // The watcher's parent ends at once, so the program, which expects only its own children, has no further child.
  if (fork() != 0) _exit(0);
  setpgid(0, 0);             // away from keys typed for the program
  signal(SIGTTOU, SIG_IGN);  // allows writing from the background
  prctl(PR_SET_NAME, "ompprof-line");
  // Readers of the program's output wait until every copy of it is closed.
  if (descriptor != kProgram) dup2(static_cast<int>(descriptor), kProgram);
  syscall(SYS_close_range, kProgram + 1, ~0u, 0);
  close(STDIN_FILENO);
  close(STDOUT_FILENO);
  Watch(program);
  _exit(0);
}

}  // namespace ompprof::cli
