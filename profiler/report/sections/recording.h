// The way and the time of a process's recording, in words. The text report and `ompprof info` begin with these texts.
#ifndef OMPPROF_PROFILER_REPORT_SECTIONS_RECORDING_H_
#define OMPPROF_PROFILER_REPORT_SECTIONS_RECORDING_H_

#include <cstdint>
#include <string>

#include "profiler/analyze/view/run_facts.h"

namespace ompprof::report {

// The command, quoted for a shell and safe for a terminal. The program's path if the command is not known.
std::string CommandLine(const analyze::ProcessFacts& process);

// "2026-11-21 19:52:00" in local time; "at an unknown time" for 0.
std::string Date(int64_t unix_ns);

// "cpu clock, 199 a second by each thread's CPU-time timer"
std::string Sampling(const analyze::SamplingFacts& sampling);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_SECTIONS_RECORDING_H_
