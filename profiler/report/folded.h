// Folded stacks, the input of flame-graph scripts: one line for each path. A line has the functions from the root,
// joined by ';', a space, and a number. `ompprof export` writes them.
#ifndef OMPPROF_PROFILER_REPORT_FOLDED_H_
#define OMPPROF_PROFILER_REPORT_FOLDED_H_

#include "profiler/analyze/view/view.h"
#include "profiler/report/sink.h"

namespace ompprof::report {

// The number counts the path's samples. Lines are sorted. The format has no quotes, so a ';' in a name becomes ':' and
// a line break becomes a space. With `by_phase`, a path begins with its phase, in brackets.
void Folded(const analyze::View& view, bool by_phase, const Sink& sink);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_FOLDED_H_
