// The rows of threads on the page, with the time of each row's threads. A row is one thread, or short-lived threads
// that follow each other (GroupThreads). If there are too many such rows to draw, a row is a group of neighbours.
#ifndef OMPPROF_PROFILER_REPORT_HTML_THREAD_ROWS_H_
#define OMPPROF_PROFILER_REPORT_HTML_THREAD_ROWS_H_

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "profiler/analyze/account/summary.h"
#include "profiler/analyze/view/view.h"
#include "profiler/report/html/time_class.h"

namespace ompprof::report {

struct PageThread {
  std::string label;         // "1", "17-32", "pid 42: 17-32"
  std::string name;          // for a single thread: its name and kind
  std::string placement;     // for a single thread: "may use 0-3, ran on 2"; empty: not known
  uint32_t threads = 0;      // the number of threads in the row
  uint64_t lifetime_ns = 0;  // sum over the row's threads, as cpu_ns and the arrays
  uint64_t cpu_ns = 0;
  uint64_t ready_ns = 0;  // see ThreadAccount
  uint64_t blocked_ns = 0;
  uint64_t sampled[kTimeClasses] = {};    // weight
  uint64_t waited_ns[kTimeClasses] = {};  // exact, if waits were recorded
};

class ThreadRows {
 public:
  ThreadRows(const analyze::View& view, const analyze::Summary& summary);

  const std::vector<PageThread>& rows() const { return rows_; }

  // The row of the thread of a sample or a wait.
  uint32_t Of(uint32_t process, uint32_t thread) const;

  // The last row of the process's threads.
  uint32_t LastOf(uint32_t process) const;

  // What a label begins with: empty, or with several processes "PID/" (ProcessLabels) or "rank 0/".
  std::string ProcessPrefix(uint32_t process) const;

  // "3"; with several processes, "PID/3" (ProcessLabels) or "rank 0/3".
  std::string Label(uint32_t process, uint32_t thread) const;

 private:
  std::vector<std::string> labels_;  // of processes; empty: there is only one process
  std::vector<PageThread> rows_;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> row_of_;
};

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_HTML_THREAD_ROWS_H_
