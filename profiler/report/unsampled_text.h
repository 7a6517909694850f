// The CPU time that no sample stands for: a note of the reports, so that no time is missing silently.
#ifndef OMPPROF_PROFILER_REPORT_UNSAMPLED_TEXT_H_
#define OMPPROF_PROFILER_REPORT_UNSAMPLED_TEXT_H_

#include <string>
#include <vector>

#include "profiler/analyze/summary.h"
#include "profiler/analyze/view.h"

namespace ompprof::report {

// A sentence for each process whose samples stand for 5 % less or more than its CPU clock, of the processes with
// samples by CPU time. Processes that are sampled for a part of their time have none.
std::vector<std::string> UnsampledTexts(const analyze::View& view, const analyze::Summary& summary);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_UNSAMPLED_TEXT_H_
