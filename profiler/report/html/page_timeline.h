// When threads did what, as the page draws it: of a run recorded with --timeline, stretches of time in its rows of
// threads, with what was sampled meanwhile.
#ifndef OMPPROF_PROFILER_REPORT_HTML_PAGE_TIMELINE_H_
#define OMPPROF_PROFILER_REPORT_HTML_PAGE_TIMELINE_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "profiler/analyze/view.h"
#include "profiler/report/html/thread_rows.h"
#include "proto/ompt_state.h"

namespace ompprof::report {

struct PageStretch {
  uint32_t row = 0;      // of ThreadRows
  uint32_t node = 0;     // of the page's tree
  uint32_t process = 0;  // index into RunFacts::processes
  OmptState state = OmptState::kNone;
  uint64_t begin_ns = 0;  // since the first process's start
  uint64_t end_ns = 0;
  uint64_t busy_ns = 0;  // of it, what a thread was in that state; 0: samples taken in the course of a stretch of
                         // waiting, which are in no picture, but in the stacks of their time
  uint64_t weight = 0;   // sampled
  uint64_t wait_ns = 0;  // of an exact stretch of waiting
};

struct PageTimeline {
  uint64_t duration_ns = 0;
  uint64_t resolution_ns = 0;  // what is alike and nearer to each other than this was put together; 0: nothing was
  std::vector<PageStretch> stretches;  // by row, then time; empty: recorded without time stamps
};

// `node_of` says which of the page tree's nodes stands for a path of the view. `limit`: stretches, at most.
PageTimeline BuildPageTimeline(const analyze::View& view, const ThreadRows& rows,
                               const std::function<uint32_t(analyze::PathId)>& node_of, size_t limit);

// As many as a page can draw at once, and holds in a megabyte or two.
inline constexpr size_t kPageStretches = 150000;

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_HTML_PAGE_TIMELINE_H_
