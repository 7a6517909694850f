// The rows in which the page shows threads: one each, or where there are too many to draw, one for each group of
// neighbours; with what the threads of a row did.
#ifndef OMPPROF_PROFILER_REPORT_HTML_THREAD_ROWS_H_
#define OMPPROF_PROFILER_REPORT_HTML_THREAD_ROWS_H_

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "profiler/analyze/summary.h"
#include "profiler/analyze/view.h"
#include "profiler/report/html/time_class.h"

namespace ompprof::report {

struct ThreadRow {
  std::string label;         // "1", "17-32", "pid 42: 17-32"
  std::string name;          // of a single thread: its name and kind
  uint32_t threads = 0;      // how many it stands for
  uint64_t lifetime_ns = 0;  // sums over its threads
  uint64_t cpu_ns = 0;
  uint64_t sampled[kTimeClasses] = {};    // weight
  uint64_t waited_ns[kTimeClasses] = {};  // exact, as far as waits were recorded
};

class ThreadRows {
 public:
  ThreadRows(const analyze::View& view, const analyze::Summary& summary);

  const std::vector<ThreadRow>& rows() const { return rows_; }

  // The row of a thread that a sample or a wait of the view names.
  uint32_t Of(uint32_t process, uint32_t thread) const;

  // "3", or with several processes "PID/3" (ProcessLabels) or "rank 0/3".
  std::string Label(uint32_t process, uint32_t thread) const;

 private:
  std::vector<std::string> labels_;  // of processes; empty: there is one
  std::vector<ThreadRow> rows_;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> row_of_;
};

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_HTML_THREAD_ROWS_H_
