// The columns of the table of a unified job's figures, with their spread over its processes.
#ifndef OMPPROF_PROFILER_REPORT_COLUMNS_SPREAD_COLUMNS_H_
#define OMPPROF_PROFILER_REPORT_COLUMNS_SPREAD_COLUMNS_H_

#include <string>
#include <vector>

#include "profiler/analyze/view/view.h"
#include "profiler/report/columns/column.h"

namespace ompprof::report {

struct SpreadRow {
  const analyze::View& view;
  const analyze::JobFigure& figure;
};

const std::vector<Column<SpreadRow>>& SpreadColumns();

// The words for people of a metric, by its name in files: "useful" for `work`.
std::string MetricWords(const std::string& name);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_COLUMNS_SPREAD_COLUMNS_H_
