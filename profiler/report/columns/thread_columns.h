// The columns of the table of threads.
#ifndef OMPPROF_PROFILER_REPORT_COLUMNS_THREAD_COLUMNS_H_
#define OMPPROF_PROFILER_REPORT_COLUMNS_THREAD_COLUMNS_H_

#include <string>
#include <vector>

#include "profiler/analyze/state_times.h"
#include "profiler/analyze/summary.h"
#include "profiler/analyze/view.h"
#include "profiler/report/columns/column.h"

namespace ompprof::report {

struct ThreadRow {
  const analyze::View& view;
  const analyze::ThreadCost& thread;
  const analyze::StateTimes* states = nullptr;        // for JSON
  const analyze::ThreadStates* own_states = nullptr;  // the thread's states; null: in no state
  std::string process = {};                           // the process's name, for text
};

const std::vector<Column<ThreadRow>>& ThreadColumns();

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_COLUMNS_THREAD_COLUMNS_H_
