// Hostile settings: the OMPPROF_* variables, and command lines. Each refusal has a sentence. Each accepted value is
// within its limits. A terminal obeys nothing that is printed.
//
// The first byte chooses. Then come lines: NAME=VALUE of variables (the number before "=" chooses the variable), or
// words.
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "profiler/cli/commands/commands.h"
#include "profiler/cli/commands/usage_error.h"
#include "profiler/cli/options/complaint.h"
#include "profiler/cli/record/record_options.h"
#include "profiler/config/config.h"
#include "profiler/config/perf_events.h"
#include "profiler/config/read_config.h"
#include "profiler/config/settings.h"
#include "profiler/report/basics/units.h"
#include "tests/fuzz/decisions.h"
#include "tests/fuzz/output_checks.h"
#include "tests/unit/model/profile_builder.h"

namespace ompprof::fuzz {
namespace {

void ForgetVariables() {
  for (const config::Setting& setting : config::Settings()) unsetenv(setting.variable);
}

void RequireWithinLimits(const config::Config& config) {
  const auto require = [](bool holds, const char* what) {
    if (!holds) Fail("config", std::string(what) + " is out of its limits");
  };
  require(config.frequency >= 1 && config.frequency <= 10000, "the frequency");
  require(config.max_depth >= 16 && config.max_depth <= 16384, "the depth");
  require(config.max_memory >= 4 << 20, "the memory");
  require(config.delay_ns <= 1000000000000000, "the delay");
  require(config.flush_interval_ns >= 10000000 && config.flush_interval_ns <= 1000000000000000, "the flush interval");
  require(config.max_overhead_permille <= 1000, "the overhead");
  require(config.signal == SIGPROF || config.signal == SIGUSR1 || config.signal == SIGUSR2 ||
              config.signal == SIGALRM || config.signal == SIGVTALRM ||
              (config.signal >= SIGRTMIN && config.signal <= SIGRTMAX),
          "the signal");
  require(config.clock == config::ClockKind::kCpu || config.clock == config::ClockKind::kWall, "the clock");
  require(config.unwind <= config::UnwindKind::kLibunwind && config.task_context <= config::TaskContext::kNone,
          "a word");
  require(config.event[0] == '\0' || config::FindPerfEvent(config.event) != nullptr, "the event");
  config::EventList counted;
  require(config.count[0] == '\0' || config::ParseEvents(config.count, &counted), "the counted events");
  require(memchr(config.output, '\0', sizeof config.output) != nullptr, "the output");
}

void Variables(Decisions* decide) {
  ForgetVariables();
  const config::Rows<config::Setting> settings = config::Settings();
  cli::GivenSettings given;
  while (!decide->spent()) {
    const std::string line = decide->Line(6000);
    const size_t equals = line.find('=');
    if (equals == std::string::npos) continue;
    const auto number = static_cast<size_t>(atoi(line.c_str()));
    // As a variable, or as record's option for one.
    const std::string value = line.substr(equals + 1);
    const char* variable = settings[number % 100 % settings.size()].variable;
    if (number >= 100)
      given[variable] = value.c_str();
    else
      setenv(variable, value.c_str(), 1);
  }
  config::Config config;
  // From the smallest size that a sentence may be cut to, up to the callers' size.
  for (const size_t size : {size_t{1}, size_t{40}, size_t{1024}}) {
    std::vector<char> error(size, 'x');
    config = {};
    if (config::ReadConfig(&config, error.data(), size))
      RequireWithinLimits(config);
    else if (memchr(error.data(), '\0', size) == nullptr || (size > 1 && error[0] == '\0'))
      Fail("config", "a refusal without a sentence");
  }
  const model::Status status = cli::ApplySettings(given, &config);
  if (status.ok())
    RequireWithinLimits(config);
  else
    RequireTerminalText("record's options", report::Printable(status.sentence()), false);
  ForgetVariables();
}

// The text that is written to a descriptor meanwhile.
class Captured {
 public:
  explicit Captured(int fd) : fd_(fd), kept_(dup(fd)), memory_(memfd_create("captured", MFD_CLOEXEC)) {
    dup2(memory_, fd_);
  }
  std::string End() {
    std::fflush(nullptr);
    std::cout.flush();
    dup2(kept_, fd_);
    close(kept_);
    std::string text(static_cast<size_t>(lseek(memory_, 0, SEEK_END)), '\0');
    if (pread(memory_, text.data(), text.size(), 0) != static_cast<ssize_t>(text.size())) text.clear();
    close(memory_);
    return text;
  }

 private:
  const int fd_, kept_, memory_;
};

// A folder with a profile "p" in it, where files may be written.
void EnterFolder() {
  const char* base = getenv("TEST_TMPDIR");
  std::string folder = std::string(base != nullptr ? base : "/tmp") + "/options-XXXXXX";
  if (mkdtemp(folder.data()) == nullptr || chdir(folder.c_str()) != 0) abort();
  test::ProfileBuilder builder;
  builder.AddModule(1, "/nowhere/program", 0x400000, 0x1000);
  builder.AddThread(1, Thread::INITIAL, 1000);
  test::TestSample sample;
  sample.node = builder.AddNode(1, 0, NODE_FRAME, 0x400100);
  builder.AddSample(sample);
  builder.AddFooter(1, 1000);
  std::ofstream("p", std::ios::binary) << builder.Bytes();
  // No word of a command line is found as a program.
  setenv("PATH", "/nowhere", 1);
  setenv("OMPPROF_LIBRARY", "/nowhere/lib.so", 1);
}

// No path elsewhere, and no pattern that takes std::regex hours: that would be the user's own doing.
std::string Harmless(std::string word) {
  std::replace(word.begin(), word.end(), '/', '_');
  if (std::count_if(word.begin(), word.end(), [](char c) { return std::strchr("*+{?", c) != nullptr; }) > 2)
    word.clear();
  return word.c_str();
}

void CommandLine(Decisions* decide) {
  static const bool entered = (EnterFolder(), true);
  if (!entered) return;
  ForgetVariables();
  std::vector<std::string> words;
  while (!decide->spent() && words.size() < 40) words.push_back(Harmless(decide->Line(600)));
  // As in command_line.cc.
  std::optional<std::vector<std::string>> after_dashes;
  const auto dashes = std::find(words.begin(), words.end(), "--");
  if (!words.empty() && words[0] == "record" && dashes != words.end()) {
    after_dashes.emplace(dashes + 1, words.end());
    words.erase(dashes, words.end());
  }
  std::reverse(words.begin(), words.end());
  Captured out(STDOUT_FILENO), err(STDERR_FILENO);
  int status = 0;
  {
    CLI::App app;
    cli::AddCommands(&app, std::move(after_dashes), &status);
    // These two commands run until they are ended.
    for (const char* name : {"serve", "top"}) app.get_subcommand(name)->callback([] {});
    try {
      app.parse(std::move(words));
    } catch (const CLI::Success& wanted) {
      app.exit(wanted);
    } catch (const CLI::ParseError& error) {
      cli::ComplainOfUsage(app, error);
      status = cli::kUsage;
    }
  }
  const std::string complaints = err.End(), printed = out.End();
  // Output that is not for people goes elsewhere with -o, and to a terminal only as text.
  if (printed.compare(0, 2, "\x1f\x8b") != 0)
    RequireTerminalText("standard output", report::PrintableLines(printed), false);
  RequireTerminalText("complaints", complaints, false);
  if (status == cli::kUsage && complaints.empty()) Fail("command line", "refused without a word");
}

}  // namespace
}  // namespace ompprof::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace ompprof::fuzz;
  Decisions decide(data, std::min<size_t>(size, 16384));
  if (decide.Byte() == 'V')
    Variables(&decide);
  else
    CommandLine(&decide);
  return 0;
}
