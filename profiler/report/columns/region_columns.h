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

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_COLUMNS_REGION_COLUMNS_H_
