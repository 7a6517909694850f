// The timeline of a run recorded with --timeline, as the page draws it: stretches of time in the rows of threads, with
// the weights sampled meanwhile.
#ifndef OMPPROF_PROFILER_REPORT_HTML_PAGE_TIMELINE_H_
#define OMPPROF_PROFILER_REPORT_HTML_PAGE_TIMELINE_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "profiler/analyze/view/view.h"
#include "profiler/report/html/thread_rows.h"
#include "proto/ompt_state.h"

namespace ompprof::report {

struct PageStretch {
  uint32_t row = 0;      // index into ThreadRows::rows
  uint32_t node = 0;     // what node_of returned; 0: the roots
  uint32_t process = 0;  // index into RunFacts::processes
  OmptState state = OmptState::kNone;
  uint64_t begin_ns = 0;  // since the first process's start
  uint64_t end_ns = 0;
  uint64_t busy_ns = 0;  // the part of the stretch in which a thread was in that state; 0: samples within a stretch of
                         // waiting, which only the stacks of the selected time show
  uint64_t weight = 0;   // the weight of the stretch's samples
  uint64_t wait_ns = 0;  // for an exact stretch of waiting, its length
};

// So many threads live from this time to the time of the next entry.
struct LivingThreads {
  uint64_t time_ns;  // since the first process's start
  uint32_t threads;
};

struct PageTimeline {
  uint64_t duration_ns = 0;
  uint64_t resolution_ns = 0;          // details shorter than this were put together; 0: none were
  std::vector<LivingThreads> living;   // by time; threads that begin and end within 1 / 2,000 of the run are left out
  std::vector<PageStretch> stretches;  // by row, then by time; empty: recorded without time stamps
};

// `node_of` maps a path of the view to a number that stands for its nodes in the page's trees. `limit`: the largest
// number of stretches.
PageTimeline BuildPageTimeline(const analyze::View& view, const ThreadRows& rows,
                               const std::function<uint32_t(analyze::PathId)>& node_of, size_t limit);

// A page can draw so many stretches at once, and hold them in one or two megabytes.
inline constexpr size_t kPageStretches = 150000;

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_HTML_PAGE_TIMELINE_H_
