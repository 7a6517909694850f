#include "profiler/cli/commands/commands.h"

#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <thread>

#include "profiler/analyze/builder/build_view.h"
#include "profiler/cli/files/find_log.h"
#include "profiler/cli/files/name_cache.h"
#include "profiler/cli/options/complaint.h"
#include "profiler/cli/options/effects.h"
#include "profiler/cli/options/values.h"
#include "profiler/model/file_source.h"
#include "profiler/model/profile_reader.h"
#include "profiler/report/sections/live.h"
#include "scripts/bazel/libc_floor/system_calls.h"

namespace ompprof::cli {
namespace {

// Reading takes at most this part of the time: a large profile would keep a processor from the program.
constexpr double kShareOfTime = 0.1;
// Lines of a picture without functions, and a line for the cursor.
constexpr size_t kOtherLines = 6;

struct TopArguments {
  std::string file;
  int pid = 0;
  double interval = 1;
  uint64_t iterations = 0;
  bool once = false;
  bool no_cache = false;
  report::LiveTextOptions text;
};

// The recorded process. A file from another machine has none: then only the log's end tells that the run is over.
class Program {
 public:
  ~Program() {
    if (fd_ >= 0) close(fd_);
  }

  void Find(pid_t pid) {
    pid_ = pid;
    fd_ = static_cast<int>(syscall(SYS_pidfd_open, pid, 0));
  }
  bool found() const { return fd_ >= 0; }
  pid_t pid() const { return pid_; }

  // True, and early, if the process has ended.
  bool EndsWithin(double seconds) const {
    const auto ms = static_cast<int>(std::min(seconds * 1000, 1e9));
    if (fd_ < 0) {
      std::this_thread::sleep_for(std::chrono::milliseconds(ms));
      return false;
    }
    pollfd process{fd_, POLLIN, 0};
    return poll(&process, 1, ms) > 0;
  }

 private:
  int fd_ = -1;
  pid_t pid_ = 0;
};

bool SameHost(const Header& header) {
  char name[256] = "";
  return gethostname(name, sizeof name - 1) == 0 && header.host() == name;
}

// Each line cut to `width` columns; UTF-8 sequences count as one.
std::string Cut(const std::string& text, size_t width) {
  std::string cut;
  size_t column = 0;
  for (const char c : text) {
    if (c == '\n') {
      column = 0;
    } else if ((static_cast<unsigned char>(c) & 0xc0) != 0x80) {
      ++column;
    }
    if (c == '\n' || column <= width) cut += c;
  }
  return cut;
}

// Replaces the previous picture on a terminal. Elsewhere each picture is a block of its own.
bool Show(std::string text, bool first) {
  winsize size{};
  const bool terminal = isatty(STDOUT_FILENO) != 0;
  if (terminal && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) text = Cut(text, size.ws_col);
  if (terminal)
    text = "\033[H\033[J" + text;
  else if (!first)
    text = "\n" + text;
  return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
}

// How many functions fit.
size_t Rows(size_t asked) {
  winsize size{};
  if (isatty(STDOUT_FILENO) == 0 || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_row <= kOtherLines)
    return asked;
  return std::min<size_t>(asked, size.ws_row - kOtherLines);
}

int Follow(const TopArguments& options, const FoundLog& log, Program* program) {
  model::ByteSource source;
  if (const model::Status opened = model::OpenFileSource(log.path, &source); !opened.ok()) {
    Complain(opened.sentence());
    return kFailure;
  }
  model::LiveProfile live(log.name, std::move(source));
  model::Symbolizer symbolizer(OpenCache(options.no_cache));  // object files are opened once, not at each look
  report::LiveText picture;
  bool ended = false;
  for (uint64_t shown = 0;;) {
    const auto begun = std::chrono::steady_clock::now();
    if (program->found())
      ended = ended || program->EndsWithin(0);  // asked before the log is read: a log that ended is then read whole
    if (const model::Status read = live.Read(); !read.ok()) {
      Complain(read.sentence());
      return kFailure;
    }
    const model::ProcessProfile& profile = live.profile();
    if (live.has_header() && !program->found() && shown == 0 && !profile.complete && SameHost(profile.header) &&
        FindLog(static_cast<pid_t>(profile.header.pid())).path != "") {
      program->Find(static_cast<pid_t>(profile.header.pid()));
    }
    if (!program->found()) ended = profile.complete || (live.has_header() && SameHost(profile.header));
    if (live.has_header()) {
      const std::string state = !ended             ? "running"
                                : profile.complete ? "ended (" + profile.footer.reason() + ")"
                                                   : "ended without the collector's notice";
      report::LiveTextOptions text = options.text;
      text.functions = Rows(text.functions);
      symbolizer.ForgetProcesses();
      analyze::ViewBuilder builder(analyze::ViewKind::kUser, model::Timeline::kDrop, &symbolizer);
      builder.Add(profile);
      const analyze::View view = builder.Finish();
      if (!Show(picture.Picture(view, state, text), shown == 0)) {
        Complain("the picture cannot be written to standard output");
        return kFailure;
      }
      if (++shown == options.iterations) return kSuccess;
    }
    if (ended) {
      if (live.has_header()) return kSuccess;
      Complain(log.name + ": the program ended before anything was recorded");
      return kFailure;
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
    if (program->EndsWithin(std::max(options.interval, took.count() / kShareOfTime))) ended = true;
  }
}

int Run(const CLI::App& command, TopArguments options) {
  if (!AllHaveEffect(command,
                     {{"--iterations", !options.once, "with --once"}, {"--interval", !options.once, "with --once"}}))
    return kUsage;
  if ((options.pid == 0) == options.file.empty()) {
    Complain("top: name a process with -p PID, or the profile that a program is writing, not both");
    return kUsage;
  }
  std::error_code error;
  if (std::filesystem::is_directory(options.file, error)) {
    Complain("top: " + options.file + " is a folder, and top follows one process; name the process's profile");
    return kUsage;
  }
  if (options.once) options.iterations = 1;
  Program program;
  if (options.pid == 0) return Follow(options, {options.file, options.file}, &program);
  program.Find(options.pid);
  const FoundLog log = FindLog(options.pid);
  if (!program.found() || program.EndsWithin(0)) {
    Complain("there is no process " + std::to_string(options.pid));
    return kFailure;
  }
  if (log.path.empty()) {
    Complain("process " + std::to_string(options.pid) +
             " writes no profile, or none yet; `ompprof record` did not start the process, or the process is another "
             "user's");
    return kFailure;
  }
  return Follow(options, log, &program);
}

}  // namespace

void AddTopCommand(CLI::App* app, int* status) {
  auto options = std::make_shared<TopArguments>();
  CLI::App* command = app->add_subcommand("top", "Follow a running recording, live from its log");
  command->footer(
      "On a terminal, top redraws the picture. In a pipe, each picture is a block of text. top ends with the program.\n"
      "The column \"now\" covers the time since the previous picture. The collector writes once a second, or as often\n"
      "as `record --flush-interval` says.\n"
      "\n"
      "Examples:\n"
      "  ompprof top -p $(pgrep stencil)\n"
      "  ompprof top --once -p 4711                        one picture\n"
      "  ompprof top --interval=5 ompprof.stencil.host.4711.ompprof >> log");
  command->add_option("FILE", options->file, "Profile that a program is writing");
  command->add_option("-p,--pid", options->pid, "Process that ompprof records (default: the process that writes FILE)")
      ->type_name("PID")
      ->check(Whole(1, 1u << 30));
  command->add_option("--interval", options->interval, "Seconds from one picture to the next")
      ->type_name("SECONDS")
      ->check(Between(0.05, 1e6))
      ->capture_default_str();
  command->add_option("--iterations", options->iterations, "End after N pictures (default: with the program)")
      ->type_name("N")
      ->check(Whole(1));
  command->add_flag("--once", options->once, "Show one picture and end");
  command->add_option("--limit", options->text.functions, "Functions in each picture")
      ->type_name("N")
      ->check(Whole(1))
      ->capture_default_str();
  command->add_flag("--full-names", options->text.full_names, "C++ names with parameters and template arguments");
  AddCacheOption(command, &options->no_cache);
  command->callback([command, options, status] { *status = Run(*command, *options); });
}

}  // namespace ompprof::cli
