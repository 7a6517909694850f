// The ranks of unified jobs for the page: a row for each rank, and what it did when.
#ifndef OMPPROF_PROFILER_REPORT_HTML_PAGE_RANKS_H_
#define OMPPROF_PROFILER_REPORT_HTML_PAGE_RANKS_H_

#include <nlohmann/json.hpp>

#include "profiler/analyze/view/view.h"

namespace ompprof::report {

// More ranks are put into groups of neighbours.
inline constexpr size_t kPageRanks = 10000;

// The member `ranks` of the page's data; README.md in this folder has it. Null without a unified process whose ranks
// are known one by one.
nlohmann::ordered_json RankData(const analyze::View& view, size_t most_rows);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_HTML_PAGE_RANKS_H_
