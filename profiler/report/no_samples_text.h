// Why a profile has no samples, and what to do: a note of the reports.
#ifndef OMPPROF_PROFILER_REPORT_NO_SAMPLES_TEXT_H_
#define OMPPROF_PROFILER_REPORT_NO_SAMPLES_TEXT_H_

#include <string>

#include "profiler/analyze/view/run_facts.h"

namespace ompprof::report {

// "no samples: the program used 1.20 ms of CPU time, and ...". Empty if any process of the run has samples.
std::string NoSamplesText(const analyze::RunFacts& run);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_NO_SAMPLES_TEXT_H_
