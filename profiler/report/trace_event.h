// Exports the timeline as a trace for https://ui.perfetto.dev and chrome://tracing, in "Trace Event Format" (JSON).
// `ompprof export` calls it. Each thread has a track, with nested slices for phase, parallel region, OpenMP state and
// the functions of the call path. A flow leads from a region on the initial thread to each worker. Counters tell how
// many threads are busy and how many wait. Each device has a track with its kernels, copies, allocations and frees, and
// further tracks for operations at the same time as others.
#ifndef OMPPROF_PROFILER_REPORT_TRACE_EVENT_H_
#define OMPPROF_PROFILER_REPORT_TRACE_EVENT_H_

#include "profiler/analyze/view/view.h"
#include "profiler/report/sink.h"

namespace ompprof::report {

// `view` must have a timeline. Waits of a sampling period or more are exact to the microsecond. Other slices come from
// samples. The times of devices are exact to the nanosecond.
void TraceEvents(const analyze::View& view, const Sink& sink);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_TRACE_EVENT_H_
