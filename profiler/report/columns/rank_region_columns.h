// The columns of the table that compares MPI ranks in each parallel construct.
#ifndef OMPPROF_PROFILER_REPORT_COLUMNS_RANK_REGION_COLUMNS_H_
#define OMPPROF_PROFILER_REPORT_COLUMNS_RANK_REGION_COLUMNS_H_

#include <vector>

#include "profiler/analyze/compare/ranks.h"
#include "profiler/analyze/view/view.h"
#include "profiler/report/basics/text_options.h"
#include "profiler/report/columns/column.h"

namespace ompprof::report {

struct RankRegionRow {
  const analyze::View& view;
  const analyze::Ranks& ranks;
  const analyze::RankRegion& region;
  const TextOptions* options = nullptr;  // for text
};

const std::vector<Column<RankRegionRow>>& RankRegionColumns();

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_COLUMNS_RANK_REGION_COLUMNS_H_
