// The text report's section that shows a run's processes side by side, by MPI rank.
#ifndef OMPPROF_PROFILER_REPORT_RANKS_TEXT_H_
#define OMPPROF_PROFILER_REPORT_RANKS_TEXT_H_

#include <cstddef>
#include <string>

#include "profiler/analyze/ranks.h"
#include "profiler/report/style.h"

namespace ompprof::report {

// Empty for a single rank or process. Of more than `limit` ranks those with the most and those with the least useful
// time are shown; 0: all. `nanoseconds`: what samples weigh.
std::string RanksText(const analyze::Ranks& ranks, bool nanoseconds, size_t limit, const Style& style = {});

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_RANKS_TEXT_H_
