// What has no sample: a whole profile, or a part of the CPU time, and why.
#ifndef OMPPROF_PROFILER_REPORT_SECTIONS_NO_SAMPLES_H_
#define OMPPROF_PROFILER_REPORT_SECTIONS_NO_SAMPLES_H_

#include <string>
#include <vector>

#include "profiler/analyze/account/summary.h"
#include "profiler/analyze/view/run_facts.h"
#include "profiler/analyze/view/view.h"

namespace ompprof::report {

// "no samples: the program used 1.20 ms of CPU time, and ...". Empty if any process of the run has samples.
std::string NoSamplesText(const analyze::RunFacts& run);

// A sentence for each process whose samples stand for 5 % less or more than its CPU clock, of the processes with
// samples by CPU time. Processes that are sampled for a part of their time have none. And UnseenProgramsText.
std::vector<std::string> UnsampledTexts(const analyze::View& view, const analyze::Summary& summary);

// Programs that the run's processes started, and that have no profile in it: without the collector (`env -i`, a static
// program), or in a file that was not read. Empty: they used little CPU time.
std::string UnseenProgramsText(const analyze::RunFacts& run);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_SECTIONS_NO_SAMPLES_H_
