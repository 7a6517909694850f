// The timeline as a trace for https://ui.perfetto.dev and chrome://tracing, in the JSON that both read ("Trace Event
// Format"): a track for each thread, with what it did in slices within slices: phase, parallel region, OpenMP state and
// function.
#ifndef OMPPROF_PROFILER_REPORT_TRACE_EVENT_H_
#define OMPPROF_PROFILER_REPORT_TRACE_EVENT_H_

#include <string>

#include "profiler/analyze/view.h"

namespace ompprof::report {

// Slices are as exact as samples are, waits of a sampling period or more exact to the microsecond. `view` has a
// timeline.
std::string TraceEvents(const analyze::View& view);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_TRACE_EVENT_H_
