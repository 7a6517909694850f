#include "profiler/cli/output/progress.h"

#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <memory>
#include <utility>
#include <vector>

#include "profiler/cli/files/find_log.h"
#include "profiler/cli/files/profile_family.h"
#include "profiler/config/last_line.h"
#include "profiler/config/mpi_ranks.h"
#include "profiler/model/file_source.h"
#include "profiler/model/profile_header.h"
#include "profiler/report/basics/units.h"
#include "scripts/bazel/libc_floor/system_calls.h"

namespace ompprof::cli {
namespace {

constexpr int kPatienceMs = 5000;
constexpr int kFirstLookMs = 5;  // the next looks come after twice that time, and so on, up to kIntervalMs
constexpr int kIntervalMs = 1000;
constexpr size_t kLongestLine = 4096;
constexpr int kFewestRows = 4;
constexpr int kTerminal = STDERR_FILENO;
constexpr int kProgram = 3;  // descriptor of the program's process

// In one piece, because the program writes to the same terminal.
void Write(const std::string& text) {
  if (write(kTerminal, text.data(), text.size()) < 0) return;  // the terminal is gone: nobody looks
}

// The reserved row.
class BottomRow {
 public:
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

  void Hide() { Write(Hidden()); }

  // The bytes that hide the row; none if it is not shown.
  std::string Hidden() {
    if (rows_ == 0) return "";
    winsize size{};
    const int all = ioctl(kTerminal, TIOCGWINSZ, &size) == 0 && size.ws_row != 0 ? size.ws_row : rows_;
    const std::string row = std::to_string(rows_);
    rows_ = 0;
    return "\0337\033[1;" + std::to_string(all) + "r\033[" + row + ";1H\033[K\0338";
  }

 private:
  int rows_ = 0;  // of the terminal, 0: not shown
};

// True once the program has ended.
bool EndsWithin(int ms) {
  pollfd program{kProgram, POLLIN, 0};
  return poll(&program, 1, ms) != 0;
}

bool IsDumb() {
  const char* terminal = std::getenv("TERM");
  return terminal == nullptr || std::strcmp(terminal, "dumb") == 0;
}

// Moves the cursor to the beginning of a line, and stays where it is at one. Spaces for a whole row end at the row's
// last column in the first case, and in the next row otherwise. The method is zsh's (PROMPT_SP).
std::string ToLineStart() {
  winsize size{};
  if (IsDumb() || ioctl(kTerminal, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return "\r";
  return std::string(size.ws_col, ' ') + "\r";
}

// Whether this rank tells where the profile is: of many ranks one.
bool TellsOfProfile() { return *config::MpiRank() == '\0' || std::strcmp(config::MpiRank(), "0") == 0; }

// The line about a profile and the other profiles of its run, as the collector prints it. Empty: it is too long.
std::string LastLineOf(const std::string& path, const std::string& folder) {
  config::Written written{path.c_str()};
  written.is_rank = *config::MpiRank() != '\0';
  const std::vector<std::string> others = written.is_rank ? std::vector<std::string>() : OthersInFolder(path);
  if (!others.empty()) written.common = path.size();
  for (const std::string& other : others) {
    ++written.count;
    written.common = config::CommonPart(path.c_str(), other.substr(other.rfind('/') + 1).c_str(), written.common);
  }
  char line[kLongestLine];
  if (!config::LastLine(written, folder.c_str(), line, sizeof line)) return "";
  return std::string("ompprof: ") + line;
}

bool BelongsTo(const std::string& path, const std::string& run) {
  Header header;
  return model::ReadHeader(path, &header) && header.run() == run;
}

// The collector's file, found while the program runs: at its end, a shell's prompt must not come before the last line.
class Profile {
 public:
  Profile(const ExpectedProfile& expected, pid_t program) : expected_(expected), program_(program) {}

  // A program that becomes another one by exec gets another file.
  void Look() {
    const FoundLog found = FindLog(program_);
    if (found.path.empty()) return;
    open_ = found.path;
    if (name_ == expected_.path && !name_.empty()) return;
    name_ = BelongsTo(expected_.path, expected_.run) ? expected_.path : found.name;
  }

  // To read while the program runs; empty: not found yet.
  const std::string& open_path() const { return open_; }

  // Also after the program's end. Empty: no profile was found.
  std::string name() const {
    // The collector gives its file a name once the header is in it: a look before found the file and no name.
    if (!name_.empty() && access(name_.c_str(), R_OK) == 0) return name_;
    return BelongsTo(expected_.path, expected_.run) ? expected_.path : "";
  }

 private:
  const ExpectedProfile expected_;
  const pid_t program_;
  std::string open_;
  std::string name_;
};

class Watcher {
 public:
  Watcher(const ExpectedProfile& expected, pid_t program, bool in_foreground)
      : program_(program), profile_(expected, program), folder_(expected.folder), in_foreground_(in_foreground) {
    clock_gettime(CLOCK_MONOTONIC, &start_);
  }

  // Returns when the program has ended.
  void Watch() {
    int waited = 0;
    for (int ms = kFirstLookMs; !EndsWithin(ms); ms = std::min(2 * ms, kIntervalMs)) {
      waited += ms;
      profile_.Look();
      // A terminal loses its group (0, then an error) while the leader of its session ends, and a program its own once
      // it has ended: then the look before counts.
      const pid_t in_front = tcgetpgrp(kTerminal);
      const bool in_foreground = in_front == getpgid(program_);
      if (EndsWithin(0)) break;
      if (in_front > 0) in_foreground_ = in_foreground;
      if (waited >= kPatienceMs && !IsDumb()) ShowProgress();
    }
    Write(row_.Hidden() + LastLineForKilled());
  }

 private:
  bool OpenTotals(const std::string& path) {
    model::ByteSource source;
    if (totals_ == nullptr && !path.empty() && model::OpenFileSource(path, &source).ok())
      totals_ = std::make_unique<LogTotals>(std::move(source));
    return totals_ != nullptr && totals_->Read();
  }

  // Empty if the collector has seen the end of the program, and has printed the line.
  std::string LastLineForKilled() {
    const std::string name = !TellsOfProfile() || !in_foreground_ ? "" : profile_.name();
    if (name.empty() || !OpenTotals(name) || config::EndsProcess(totals_->end().c_str())) return "";
    const std::string line = LastLineOf(name, folder_);
    return line.empty() ? "" : ToLineStart() + line + "\r\n";
  }

  void ShowProgress() {
    if (!OpenTotals(profile_.open_path()) && totals_ != nullptr) return row_.Hide();
    // The program is stopped or in the background: another program has the terminal.
    if (!in_foreground_) return row_.Hide();
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    row_.Show(ProgressText(static_cast<uint64_t>(now.tv_sec - start_.tv_sec),
                           totals_ != nullptr ? totals_->samples() : 0, totals_ != nullptr ? totals_->lost() : 0));
  }

  const pid_t program_;
  Profile profile_;
  const std::string folder_;
  timespec start_;
  bool in_foreground_;
  BottomRow row_;
  std::unique_ptr<LogTotals> totals_;
};

// The profile of the last program of the process `program`, which may have become other programs by exec. Empty: none.
std::string LastProfile(const ExpectedProfile& expected, pid_t program) {
  std::vector<std::string> files = OthersInFolder(expected.path);
  files.push_back(expected.path);
  std::string last;
  int64_t last_start = 0;
  for (const std::string& file : files) {
    Header header;
    if (!model::ReadHeader(file, &header) || header.run() != expected.run) continue;
    if (header.pid() != static_cast<uint64_t>(program) || (!last.empty() && header.start_unix_ns() < last_start))
      continue;
    last = file;
    last_start = header.start_unix_ns();
  }
  return last;
}

// Where a limit allows no more processes and threads than this, the program may use all of them. The watcher would take
// the place of one.
constexpr uint64_t kFewPlaces = 4096;

// The least pids.max of the control group `group` and the groups around it, below `root`.
uint64_t LeastOfGroups(const std::string& root, std::string group) {
  uint64_t least = UINT64_MAX;
  for (;;) {
    uint64_t limit = 0;
    if (std::ifstream(root + group + "/pids.max") >> limit) least = std::min(least, limit);  // not "max"
    if (group.empty()) return least;
    group.erase(group.find_last_of('/') == std::string::npos ? 0 : group.find_last_of('/'));
  }
}

bool HasFewPlaces() {
  rlimit limit{};
  if (geteuid() != 0 && getrlimit(RLIMIT_NPROC, &limit) == 0 && limit.rlim_cur < kFewPlaces) return true;
  std::ifstream groups("/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    // Examples: "0::/path", "8:pids:/path"
    const size_t controllers = line.find(':') + 1;
    const size_t group = line.find(':', controllers);
    if (controllers == 0 || group == std::string::npos) continue;
    const std::string kind = "," + line.substr(controllers, group - controllers) + ",";
    const bool pids = kind.find(",pids,") != std::string::npos;
    if (kind != ",," && !pids) continue;
    if (LeastOfGroups(pids ? "/sys/fs/cgroup/pids" : "/sys/fs/cgroup", line.substr(group + 1)) < kFewPlaces)
      return true;
  }
  return false;
}

// Waits for the program's end without looking at it, and tells where the profile is if the collector could not.
void TellWithoutTerminal(const ExpectedProfile& expected, pid_t program) {
  pollfd ended{kProgram, POLLIN, 0};
  while (poll(&ended, 1, -1) < 0 && errno == EINTR) {
  }
  const std::string name = LastProfile(expected, program);
  model::ByteSource source;
  if (name.empty() || !model::OpenFileSource(name, &source).ok()) return;
  LogTotals totals(std::move(source));
  if (!totals.Read() || config::EndsProcess(totals.end().c_str())) return;
  const std::string line = LastLineOf(name, expected.folder);
  if (!line.empty()) Write(line + "\n");
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
    if (record_.has_footer()) end_ = record_.footer().reason();
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

void StartProgress(const ExpectedProfile& expected) {
  const bool on_terminal = isatty(kTerminal) != 0;
  if (TellsOfProfile()) setenv("OMPPROF_LAST_LINE", "1", 1);
  // Process 1 of a container would become the watcher's parent.
  if ((!on_terminal && !TellsOfProfile()) || getpid() == 1 || HasFewPlaces()) return;
  const pid_t program = getpid();
  const bool in_foreground = tcgetpgrp(kTerminal) == getpgrp();
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
  // Away from signals to the program's group: keys typed for it, and the hangup when the leader of its session ends.
  // The program does not begin before.
  setpgid(0, 0);
  signal(SIGTTOU, SIG_IGN);  // allows writing from the background
  // Of a batch system that ends the job: the program ends now as well.
  for (const int ends : {SIGTERM, SIGHUP, SIGINT, SIGPIPE}) {
    if (!on_terminal) signal(ends, SIG_IGN);
  }
  // The watcher's parent ends at once, so the program, which expects only its own children, has no further child.
  if (fork() != 0) _exit(0);
  prctl(PR_SET_NAME, "ompprof-line");
  // Readers of the program's output wait until every copy of it is closed.
  if (descriptor != kProgram) dup2(static_cast<int>(descriptor), kProgram);
  syscall(SYS_close_range, kProgram + 1, ~0u, 0);
  close(STDIN_FILENO);
  close(STDOUT_FILENO);
  if (on_terminal)
    Watcher(expected, program, in_foreground).Watch();
  else
    TellWithoutTerminal(expected, program);
  _exit(0);
}

}  // namespace ompprof::cli
