// A row of the table of regions, for the columns.
#ifndef OMPPROF_PROFILER_REPORT_COLUMNS_REGION_ROW_H_
#define OMPPROF_PROFILER_REPORT_COLUMNS_REGION_ROW_H_

#include <cstdint>
#include <vector>

#include "profiler/analyze/account/gain.h"
#include "profiler/analyze/account/region_paths.h"
#include "profiler/analyze/view/view.h"
#include "profiler/report/basics/text_options.h"

namespace ompprof::report {

struct RegionRow {
  const analyze::View& view;
  const analyze::Region& region;
  analyze::Gains gains;
  const std::vector<analyze::RegionPath>* paths = nullptr;  // for JSON
  uint64_t duration_ns = 0;                                 // of the run; for text
  const TextOptions* options = nullptr;
};

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_COLUMNS_REGION_ROW_H_
