// The CPU time that no sample stands for: notes of the reports, so that no time is missing silently.
#ifndef OMPPROF_PROFILER_REPORT_UNSAMPLED_TEXT_H_
#define OMPPROF_PROFILER_REPORT_UNSAMPLED_TEXT_H_

#include <string>
#include <vector>

#include "profiler/analyze/account/summary.h"
#include "profiler/analyze/view/view.h"

namespace ompprof::report {

// A sentence for each process whose samples stand for 5 % less or more than its CPU clock, of the processes with
// samples by CPU time. Processes that are sampled for a part of their time have none. And UnseenProgramsText.
std::vector<std::string> UnsampledTexts(const analyze::View& view, const analyze::Summary& summary);

// Programs that the run's processes started, and that have no profile in it: without the collector (`env -i`, a static
// program), or in a file that was not read. Empty: they used little CPU time.
std::string UnseenProgramsText(const analyze::RunFacts& run);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_UNSAMPLED_TEXT_H_
