// Exports a view for Hatchet (hatchet.readthedocs.io), as the list of dictionaries that GraphFrame.from_literal takes.
// `ompprof export` calls it.
#ifndef OMPPROF_PROFILER_REPORT_HATCHET_H_
#define OMPPROF_PROFILER_REPORT_HATCHET_H_

#include "profiler/analyze/view/view.h"
#include "profiler/report/sink.h"

namespace ompprof::report {

// The call tree: a dictionary with `frame`, `metrics` and `children` for each node. Metrics are own and inclusive
// ("(inc)") costs: `time` in seconds (or the event's name), `samples`, `wait` and `blame` in seconds of thread time.
void Hatchet(const analyze::View& view, const Sink& sink);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_HATCHET_H_
