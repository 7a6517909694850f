// The text report's table that compares a run's MPI ranks in each parallel construct. `report --ranks` shows it.
#ifndef OMPPROF_PROFILER_REPORT_RANK_REGIONS_TEXT_H_
#define OMPPROF_PROFILER_REPORT_RANK_REGIONS_TEXT_H_

#include <string>

#include "profiler/analyze/compare/ranks.h"
#include "profiler/analyze/view/view.h"
#include "profiler/report/text_options.h"

namespace ompprof::report {

// Empty if no job has several ranks.
std::string RankRegionsText(const analyze::View& view, const analyze::Ranks& ranks, const TextOptions& options);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_RANK_REGIONS_TEXT_H_
