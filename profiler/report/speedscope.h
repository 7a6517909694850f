// Exports a view for https://www.speedscope.app, in its JSON format, with a profile for each thread, and with a
// timeline for each device. `ompprof export` calls it.
#ifndef OMPPROF_PROFILER_REPORT_SPEEDSCOPE_H_
#define OMPPROF_PROFILER_REPORT_SPEEDSCOPE_H_

#include "profiler/analyze/view/view.h"
#include "profiler/report/sink.h"

namespace ompprof::report {

// With a timeline, stacks have their places in the run's wall time, on one scale for all threads. Waits are included;
// unknown time is empty. Without a timeline, stacks have no order, and each is as long as its CPU time or its events.
// A device's stacks are the call paths of its launches, with the operation on top. Operations of a device at the same
// time as others are a further profile.
void Speedscope(const analyze::View& view, const Sink& sink);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_SPEEDSCOPE_H_
