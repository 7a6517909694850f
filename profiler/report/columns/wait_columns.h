// The columns of the table of waits.
#ifndef OMPPROF_PROFILER_REPORT_COLUMNS_WAIT_COLUMNS_H_
#define OMPPROF_PROFILER_REPORT_COLUMNS_WAIT_COLUMNS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "profiler/analyze/view/view.h"
#include "profiler/report/basics/text_options.h"
#include "profiler/report/columns/column.h"

namespace ompprof::report {

// The waits of one thread at a place; in text, the waits of all threads, added up.
struct WaitRow {
  const analyze::View& view;
  const analyze::WaitTotal& wait;
  uint64_t waited_ns = 0;      // all threads' waiting; for text
  std::string last_text = {};  // the threads that came last
  const TextOptions* options = nullptr;
};

const std::vector<Column<WaitRow>>& WaitColumns();

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_COLUMNS_WAIT_COLUMNS_H_
