// The JSON report's members that compare a run's processes, by MPI rank. README.md in this folder has the members.
#ifndef OMPPROF_PROFILER_REPORT_RANKS_JSON_H_
#define OMPPROF_PROFILER_REPORT_RANKS_JSON_H_

#include "profiler/analyze/compare/ranks.h"
#include "profiler/analyze/view/view.h"
#include "profiler/report/json_writer.h"

namespace ompprof::report {

// Writes the members "ranks", "rank_regions", "rank_imbalance", "jobs" and "launchers" into the open object.
void RanksJson(const analyze::View& view, const analyze::Ranks& ranks, JsonWriter* json);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_RANKS_JSON_H_
