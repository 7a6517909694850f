// The columns of target constructs in the table of regions.
#ifndef OMPPROF_PROFILER_REPORT_COLUMNS_TARGET_COLUMNS_H_
#define OMPPROF_PROFILER_REPORT_COLUMNS_TARGET_COLUMNS_H_

#include <vector>

#include "profiler/analyze/account/devices.h"
#include "profiler/analyze/view/view.h"
#include "profiler/report/basics/text_options.h"
#include "profiler/report/columns/column.h"

namespace ompprof::report {

struct TargetRow {
  const analyze::View& view;
  const analyze::TargetConstruct& target;
  const TextOptions* options = nullptr;  // of text
};

const std::vector<Column<TargetRow>>& TargetColumns();

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_COLUMNS_TARGET_COLUMNS_H_
