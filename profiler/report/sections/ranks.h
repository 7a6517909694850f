// Ranks: the processes of a job, and their regions, side by side.
#ifndef OMPPROF_PROFILER_REPORT_SECTIONS_RANKS_H_
#define OMPPROF_PROFILER_REPORT_SECTIONS_RANKS_H_

#include <cstddef>
#include <string>

#include "profiler/analyze/compare/ranks.h"
#include "profiler/analyze/view/view.h"
#include "profiler/report/basics/json_writer.h"
#include "profiler/report/basics/style.h"
#include "profiler/report/basics/text_options.h"

namespace ompprof::report {

// Empty for a single process, and if all processes are launchers. If the run has more than `limit` ranks, the table has
// the ranks with the most and the least useful time. `limit` 0: all ranks. `nanoseconds`: whether weights are
// nanoseconds.
std::string RanksText(const analyze::Ranks& ranks, bool nanoseconds, size_t limit, const Style& style = {});

// Empty if no job has several ranks.
std::string RankRegionsText(const analyze::View& view, const analyze::Ranks& ranks, const TextOptions& options);

// Writes the members "ranks", "rank_regions", "rank_imbalance", "jobs" and "launchers" into the open object.
void RanksJson(const analyze::View& view, const analyze::Ranks& ranks, JsonWriter* json);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_SECTIONS_RANKS_H_
