// Views in the formats of other tools. `ompprof export` calls these. A format is explained in its file.
#ifndef OMPPROF_PROFILER_REPORT_EXPORTS_EXPORTS_H_
#define OMPPROF_PROFILER_REPORT_EXPORTS_EXPORTS_H_

#include <string>

#include "profiler/analyze/view/view.h"
#include "profiler/model/status.h"
#include "profiler/model/symbolizer.h"
#include "profiler/report/basics/sink.h"

namespace ompprof::report {

// Events are the clock (cpu_ns, wall_ns, or an event's name), samples, wait_ns and blame_ns. Calls have no count in a
// sampled profile: each call line says 1. Memory grows with the number of functions, lines and calls, not with the
// number of call paths.
void Callgrind(const analyze::View& view, const model::Symbolizer& symbolizer, const Sink& sink);

// Each thread has its samples, weighted by what they stand for. With a timeline, samples have their times, and each
// stretch of waiting is a marker. Without a timeline, samples have no order: each begins where the one before it ends.
void Firefox(const analyze::View& view, const model::Symbolizer& symbolizer, const Sink& sink);

// The number counts the path's samples. Lines are sorted. The format has no quotes, so a ';' in a name becomes ':' and
// a line break becomes a space. With `by_phase`, a path begins with its phase, in brackets.
void Folded(const analyze::View& view, bool by_phase, const Sink& sink);

// The call tree: a dictionary with `frame`, `metrics` and `children` for each node. Metrics are own and inclusive
// ("(inc)") costs: `time` in seconds (or the event's name), `samples`, `wait` and `blame` in seconds of thread time.
void Hatchet(const analyze::View& view, const Sink& sink);

// Makes the folder `path` with traces.otf2 and the files that belong to it. `path` must not exist, and `view` must have
// a timeline. Each thread is a location. Its events enter and leave the functions of the call path; gaps are outside of
// all functions. Times are nanoseconds since the first process's start.
model::Status Otf2(const analyze::View& view, const std::string& path);

// The comment in the header of the file, by which `export` knows an earlier output.
inline constexpr char kPprofComment[] = "ompprof";

// A gzip-compressed profile.proto message. Sample types are samples/count and the clock (cpu/nanoseconds,
// wall/nanoseconds, or an event's name/count). Each sample has the labels thread and omp_state, and if they apply,
// region, rank and wait_id. The thread's number is the number in `ompprof report --threads`; with several processes,
// PID/NUMBER. A function's name is short (ShortName). Its system_name is the full name with parameters and template
// arguments; if the full name is not longer, the name as linked.
void Pprof(const analyze::View& view, const model::Symbolizer& symbolizer, const Sink& sink);

// With a timeline, stacks have their places in the run's wall time, on one scale for all threads. Waits are included;
// unknown time is empty. Without a timeline, stacks have no order, and each is as long as its CPU time or its events.
// A device's stacks are the call paths of its launches, with the operation on top. Operations of a device at the same
// time as others are a further profile.
void Speedscope(const analyze::View& view, const Sink& sink);

// `view` must have a timeline. Waits of a sampling period or more are exact to the microsecond. Other slices come from
// samples. The times of devices are exact to the nanosecond.
void TraceEvents(const analyze::View& view, const Sink& sink);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_EXPORTS_EXPORTS_H_
