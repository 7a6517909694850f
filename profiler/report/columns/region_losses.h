// The columns of the table of regions for a region's losses: waits, imbalance, the runtime's time.
#ifndef OMPPROF_PROFILER_REPORT_COLUMNS_REGION_LOSSES_H_
#define OMPPROF_PROFILER_REPORT_COLUMNS_REGION_LOSSES_H_

#include <vector>

#include "profiler/report/columns/column.h"
#include "profiler/report/columns/region_row.h"

namespace ompprof::report {

const std::vector<Column<RegionRow>>& RegionLossColumns();

// The error of figures that are computed from all waits of a region.
analyze::Estimate EstimateOfWaits(const RegionRow& row);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_COLUMNS_REGION_LOSSES_H_
