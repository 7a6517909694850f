// How and when a process was recorded, in words. The text report and `ompprof info` begin with it.
#ifndef OMPPROF_PROFILER_REPORT_RECORDING_TEXT_H_
#define OMPPROF_PROFILER_REPORT_RECORDING_TEXT_H_

#include <cstdint>
#include <string>

#include "profiler/analyze/run_facts.h"

namespace ompprof::report {

// The command as a shell takes it; the program's path if it is not known. For a terminal.
std::string CommandLine(const analyze::ProcessFacts& process);

// "2026-11-21 19:52:00" in local time; "at an unknown time" for 0.
std::string Date(int64_t unix_ns);

// "cpu clock, 199 a second by each thread's CPU-time timer"
std::string Sampling(const analyze::SamplingFacts& sampling);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_RECORDING_TEXT_H_
