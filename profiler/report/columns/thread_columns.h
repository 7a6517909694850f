// The columns of the table of threads.
#ifndef OMPPROF_PROFILER_REPORT_COLUMNS_THREAD_COLUMNS_H_
#define OMPPROF_PROFILER_REPORT_COLUMNS_THREAD_COLUMNS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "profiler/analyze/account/state_times.h"
#include "profiler/analyze/account/summary.h"
#include "profiler/analyze/view/view.h"
#include "profiler/report/columns/column.h"

namespace ompprof::report {

struct ThreadRow {
  const analyze::View& view;
  const analyze::ThreadCost& thread;                  // or the sum of a group; see GroupThreads
  const analyze::StateTimes* states = nullptr;        // for JSON
  const analyze::ThreadStates* own_states = nullptr;  // the thread's states; null: in no state
  std::string process = {};                           // the process's name, for text
  uint64_t threads = 1;                               // in the group, for text
  uint32_t last_id = 0;                               // of the group, for text
};

const std::vector<Column<ThreadRow>>& ThreadColumns();

// "97 threads, 200.00 ms each". `lifetime_ns`: of all threads together.
std::string GroupName(uint64_t threads, uint64_t lifetime_ns);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_COLUMNS_THREAD_COLUMNS_H_
