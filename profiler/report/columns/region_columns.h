// The columns of the table of regions.
#ifndef OMPPROF_PROFILER_REPORT_COLUMNS_REGION_COLUMNS_H_
#define OMPPROF_PROFILER_REPORT_COLUMNS_REGION_COLUMNS_H_

#include <vector>

#include "profiler/analyze/view/view.h"
#include "profiler/report/columns/column.h"
#include "profiler/report/columns/region_row.h"

namespace ompprof::report {

RegionRow RowOf(const analyze::View& view, const analyze::Region& region);

const std::vector<Column<RegionRow>>& RegionColumns();

// Also with the columns of the events that the view has counts of, for text and CSV.
std::vector<Column<RegionRow>> RegionColumnsOf(const analyze::View& view);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_COLUMNS_REGION_COLUMNS_H_
