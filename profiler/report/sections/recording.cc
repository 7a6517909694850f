#include "profiler/report/sections/recording.h"

#include <ctime>

#include "profiler/report/basics/units.h"

namespace ompprof::report {

std::string CommandLine(const analyze::ProcessFacts& process) {
  if (process.argv.empty()) return Printable(process.program);
  std::string line;
  for (size_t i = 0; i < process.argv.size(); ++i) {
    const std::string& word = process.argv[i];
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
  if (source == "on-cpu-timer") return "random instants of each thread on a processor";
  if (source == "tick-timer" || source == "cpu-timer") return "each thread's CPU-time timer";
  if (source.compare(0, 5, "perf:") == 0) return "perf event " + source.substr(5);
  return source.empty() ? "an unknown source" : source;
}

}  // namespace

std::string Sampling(const analyze::SamplingFacts& sampling) {
  if (!sampling.weighs_ns())
    return "one sample every " + Count(sampling.period) + " " + sampling.clock + " of a thread, by perf event";
  std::string text = sampling.clock.empty() ? "" : sampling.clock + " clock, ";
  if (sampling.frequency > 0) {
    text += Count(sampling.frequency) + " a second";
  } else if (sampling.period > 0) {
    text += "every " + Weight(sampling.period, sampling.weighs_ns());
  }
  text += " by " + SourceName(sampling.source);
  if (sampling.frequency > 0 && sampling.tick_ns > 0 &&
      (sampling.source == "tick-timer" || sampling.source == "cpu-timer") &&
      sampling.frequency * sampling.tick_ns > 1000000000) {
    text += " (the kernel's tick allows " + Count(1000000000 / sampling.tick_ns) + ")";
  }
  return text;
}

}  // namespace ompprof::report
