// The text report's table that compares a run's processes, by MPI rank.
#ifndef OMPPROF_PROFILER_REPORT_RANKS_TEXT_H_
#define OMPPROF_PROFILER_REPORT_RANKS_TEXT_H_

#include <cstddef>
#include <string>

#include "profiler/analyze/compare/ranks.h"
#include "profiler/report/style.h"

namespace ompprof::report {

// Empty for a single process, and if all processes are launchers. If the run has more than `limit` ranks, the table has
// the ranks with the most and the least useful time. `limit` 0: all ranks. `nanoseconds`: whether weights are
// nanoseconds.
std::string RanksText(const analyze::Ranks& ranks, bool nanoseconds, size_t limit, const Style& style = {});

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_RANKS_TEXT_H_
