// Exports a view in callgrind's format, for kcachegrind, qcachegrind and callgrind_annotate. `ompprof export` calls it.
//
// The format has functions with the cost of their lines, and calls with the cost of all that happened in them. Readers
// add calls up to a function's inclusive cost. In a recursion that would count a stack several times. So a function's
// frames below its outermost frame are a function of their own, with '2 behind the name, as callgrind writes them. Each
// stack then has one call of the function itself, and the inclusive cost equals the total of the report.
#ifndef OMPPROF_PROFILER_REPORT_CALLGRIND_H_
#define OMPPROF_PROFILER_REPORT_CALLGRIND_H_

#include "profiler/analyze/view/view.h"
#include "profiler/model/symbolizer.h"
#include "profiler/report/sink.h"

namespace ompprof::report {

// Events are the clock (cpu_ns, wall_ns, or an event's name), samples, wait_ns and blame_ns. Calls have no count in a
// sampled profile: each call line says 1. Memory grows with the number of functions, lines and calls, not with the
// number of call paths.
void Callgrind(const analyze::View& view, const model::Symbolizer& symbolizer, const Sink& sink);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_CALLGRIND_H_
