// The columns of the table of waits.
#ifndef OMPPROF_PROFILER_REPORT_COLUMNS_WAIT_COLUMNS_H_
#define OMPPROF_PROFILER_REPORT_COLUMNS_WAIT_COLUMNS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "profiler/analyze/view.h"
#include "profiler/report/columns/column.h"
#include "profiler/report/text_options.h"

namespace ompprof::report {

// One thread's waits at a place; in text those of all threads, added up.
struct WaitRow {
  const analyze::View& view;
  const analyze::WaitTotal& wait;
  uint64_t waited_ns = 0;      // for text: by all, everywhere
  std::string last_text = {};  // who came last
  const TextOptions* options = nullptr;
};

const std::vector<Column<WaitRow>>& WaitColumns();

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_COLUMNS_WAIT_COLUMNS_H_
