// The columns of the table of functions.
#ifndef OMPPROF_PROFILER_REPORT_COLUMNS_FUNCTION_COLUMNS_H_
#define OMPPROF_PROFILER_REPORT_COLUMNS_FUNCTION_COLUMNS_H_

#include <vector>

#include "profiler/analyze/view/call_tree.h"
#include "profiler/analyze/view/view.h"
#include "profiler/model/symbolizer.h"
#include "profiler/report/basics/text_options.h"
#include "profiler/report/columns/column.h"

namespace ompprof::report {

struct FunctionRow {
  const analyze::View& view;
  const model::Symbolizer& symbolizer;
  const analyze::FunctionCost& cost;
  const TextOptions* options = nullptr;  // for text only, which shows costs in the options' metric
};

const std::vector<Column<FunctionRow>>& FunctionColumns();

// Also with the columns of the events that the view has counts of, for text and CSV.
std::vector<Column<FunctionRow>> FunctionColumnsOf(const analyze::View& view);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_COLUMNS_FUNCTION_COLUMNS_H_
