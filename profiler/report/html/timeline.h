// When threads did what: the samples that were recorded with time stamps, as stretches of time in the rows of the page.
#ifndef OMPPROF_PROFILER_REPORT_HTML_TIMELINE_H_
#define OMPPROF_PROFILER_REPORT_HTML_TIMELINE_H_

#include <cstdint>
#include <vector>

#include "profiler/analyze/view.h"
#include "profiler/report/html/thread_rows.h"

namespace ompprof::report {

// One sample or more, one after the other in one thread, that are alike.
struct Stretch {
  uint32_t row;     // of ThreadRows
  uint32_t sample;  // index into View::samples: where, and in what state
  uint64_t begin_ns;  // since the first process's start
  uint64_t end_ns;
  uint64_t weight;  // sampled; 0: a wait
  uint64_t wait_ns;
};

struct Timeline {
  uint64_t duration_ns = 0;
  uint64_t resolution_ns = 0;  // what was put together is nearer to each other than this; 0: nothing was
  std::vector<Stretch> stretches;  // by row, then time; empty: recorded without time stamps
};

Timeline BuildTimeline(const analyze::View& view, const ThreadRows& rows);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_HTML_TIMELINE_H_
