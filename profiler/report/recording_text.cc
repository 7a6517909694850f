#include "profiler/report/recording_text.h"

#include <ctime>

#include "profiler/report/units.h"

namespace ompprof::report {

std::string CommandLine(const Header& header) {
  if (header.argv_size() == 0) return Printable(header.program());
  std::string line;
  for (int i = 0; i < header.argv_size(); ++i) {
    const std::string& word = header.argv(i);
    const bool plain = !word.empty() && word.find_first_of(" \t\n'\"\\$*?;&|<>()") == std::string::npos;
    if (i > 0) line += ' ';
    line += plain ? word : "'" + word + "'";
  }
  return Printable(line);
}

std::string Date(int64_t unix_ns) {
  const std::time_t seconds = unix_ns / 1000000000;
  std::tm local;
  char text[64];
  if (unix_ns == 0 || localtime_r(&seconds, &local) == nullptr) return "at an unknown time";
  std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &local);
  return text;
}

namespace {

std::string SourceName(const std::string& source) {
  if (source == "cpu-timer") return "each thread's CPU-time timer";
  if (source == "monotonic-timer") return "a monotonic timer, weighted by each thread's CPU clock";
  if (source.compare(0, 5, "perf:") == 0) return "perf event " + source.substr(5);
  return source.empty() ? "an unknown source" : source;
}

}  // namespace

std::string Sampling(const Header& header) {
  if (header.weight_unit() == "events")
    return "one sample every " + Count(header.period()) + " " + header.clock() + " of a thread, by perf event";
  std::string text = header.clock().empty() ? "" : header.clock() + " clock, ";
  if (header.frequency() > 0) {
    text += Count(header.frequency()) + " a second";
  } else if (header.period() > 0) {
    text += "every " + Weight(header.period(), header.weight_unit() != "events");
  }
  text += " by " + SourceName(header.source());
  if (header.frequency() > 0 && header.tick_ns() > 0 && header.source() == "cpu-timer" &&
      header.frequency() * header.tick_ns() > 1000000000) {
    text += " (the kernel's tick allows " + Count(1000000000 / header.tick_ns()) + ")";
  }
  return text;
}

}  // namespace ompprof::report
