#include "profiler/cli/record_options.h"

#include <signal.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

namespace ompprof::cli {
namespace {

// The whole of `text` as a number without a sign in [low, high].
bool ParseInteger(const std::string& text, unsigned long long low, unsigned long long high, unsigned long long* value) {
  if (text.empty() || text.size() > 18 || text.find_first_not_of("0123456789") != std::string::npos) return false;
  *value = std::strtoull(text.c_str(), nullptr, 10);
  return *value >= low && *value <= high;
}

bool ParseSeconds(const std::string& text, double* seconds) {
  if (text.empty() || text.find_first_not_of("0123456789.") != std::string::npos) return false;
  char* end = nullptr;
  *seconds = std::strtod(text.c_str(), &end);
  return *end == '\0' && std::isfinite(*seconds);
}

// "4096", "256M": bytes with an optional K, M or G.
bool ParseSize(std::string text) {
  if (!text.empty() && std::strchr("KkMmGg", text.back()) != nullptr) text.pop_back();
  unsigned long long value = 0;
  return ParseInteger(text, 1, 1ull << 50, &value);
}

bool OneOf(const std::string& text, std::initializer_list<const char*> choices) {
  return std::any_of(choices.begin(), choices.end(), [&](const char* choice) { return text == choice; });
}

model::Status Wrong(const char* option, const std::string& value, const std::string& wanted) {
  return model::Status(std::string(option) + "=" + value + ": " + wanted);
}

}  // namespace

int ParseSignal(const std::string& text) {
  unsigned long long number = 0;
  if (ParseInteger(text, 1, static_cast<unsigned long long>(SIGRTMAX), &number)) return static_cast<int>(number);
  std::string name = text.compare(0, 3, "SIG") == 0 ? text.substr(3) : text;
  const auto offset_from = [&](const char* base, char sign) -> int {
    const size_t length = std::strlen(base);
    if (name.compare(0, length, base) != 0) return -1;
    if (name.size() == length) return 0;
    if (name[length] != sign || !ParseInteger(name.substr(length + 1), 0, 64, &number)) return -1;
    return static_cast<int>(number);
  };
  if (const int above = offset_from("RTMIN", '+'); above >= 0) {
    return SIGRTMIN + above <= SIGRTMAX ? SIGRTMIN + above : 0;
  }
  if (const int below = offset_from("RTMAX", '-'); below >= 0) {
    return SIGRTMAX - below >= SIGRTMIN ? SIGRTMAX - below : 0;
  }
  for (int candidate = 1; candidate < SIGRTMIN; ++candidate) {
    const char* known = sigabbrev_np(candidate);
    if (known != nullptr && name == known) return candidate;
  }
  return 0;
}

model::Status ToEnvironment(const RecordOptions& options, Environment* environment) {
  const auto set = [&](const char* name, const std::string& value) { environment->emplace_back(name, value); };
  unsigned long long number = 0;
  double seconds = 0;

  if (!options.frequency.empty()) {
    if (!ParseInteger(options.frequency, 1, 10000, &number)) {
      return Wrong("--frequency", options.frequency, "give 1 to 10000 samples a second");
    }
    set("OMPPROF_FREQUENCY", options.frequency);
  }
  if (!options.output.empty()) set("OMPPROF_OUTPUT", options.output);
  if (!options.clock.empty()) {
    if (!OneOf(options.clock, {"cpu", "wall"})) return Wrong("--clock", options.clock, "give cpu or wall");
    set("OMPPROF_CLOCK", options.clock);
  }
  if (!options.event.empty()) {
    if (!options.clock.empty()) return model::Status("--event and --clock: give one of them, an event is a clock of its own");
    set("OMPPROF_EVENT", options.event);
  }
  if (!options.signal.empty()) {
    const int signal = ParseSignal(options.signal);
    if (signal == 0) {
      return Wrong("--signal", options.signal, "there is no such signal; give a number, or a name like PROF or RTMIN+3");
    }
    if (signal == SIGKILL || signal == SIGSTOP) {
      return Wrong("--signal", options.signal, "this signal cannot be handled; give another");
    }
    set("OMPPROF_SIGNAL", std::to_string(signal));
  }
  if (!options.unwind.empty()) {
    if (!OneOf(options.unwind, {"cfi", "fp", "libunwind"})) {
      return Wrong("--unwind", options.unwind, "give cfi, fp or libunwind");
    }
    set("OMPPROF_UNWIND", options.unwind);
  }
  if (!options.max_depth.empty()) {
    if (!ParseInteger(options.max_depth, 1, 1000000, &number)) {
      return Wrong("--max-depth", options.max_depth, "give a number of frames from 1 to 1000000");
    }
    set("OMPPROF_MAX_DEPTH", options.max_depth);
  }
  if (!options.max_memory.empty()) {
    if (!ParseSize(options.max_memory)) return Wrong("--max-memory", options.max_memory, "give a size such as 256M");
    set("OMPPROF_MAX_MEMORY", options.max_memory);
  }
  if (!options.task_context.empty()) {
    if (!OneOf(options.task_context, {"site", "full", "none"})) {
      return Wrong("--task-context", options.task_context, "give site, full or none");
    }
    set("OMPPROF_TASK_CONTEXT", options.task_context);
  }
  if (!options.delay.empty()) {
    if (!ParseSeconds(options.delay, &seconds)) return Wrong("--delay", options.delay, "give seconds, such as 2.5");
    set("OMPPROF_DELAY", options.delay);
  }
  if (!options.flush_interval.empty()) {
    if (!ParseSeconds(options.flush_interval, &seconds) || seconds <= 0) {
      return Wrong("--flush-interval", options.flush_interval, "give seconds, more than 0");
    }
    set("OMPPROF_FLUSH_INTERVAL", options.flush_interval);
  }
  if (options.paused) set("OMPPROF_PAUSED", "1");
  if (options.no_children) set("OMPPROF_CHILDREN", "0");
  return model::Status();
}

}  // namespace ompprof::cli
