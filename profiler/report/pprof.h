// Exports a view in the pprof format, for `go tool pprof` and other tools that read this format. `ompprof export` calls
// it.
#ifndef OMPPROF_PROFILER_REPORT_PPROF_H_
#define OMPPROF_PROFILER_REPORT_PPROF_H_

#include "profiler/analyze/view/view.h"
#include "profiler/model/symbolizer.h"
#include "profiler/report/sink.h"

namespace ompprof::report {

// The comment in the header of the file, by which `export` knows an earlier output.
inline constexpr char kPprofComment[] = "ompprof";

// A gzip-compressed profile.proto message. Sample types are samples/count and the clock (cpu/nanoseconds,
// wall/nanoseconds, or an event's name/count). Each sample has the labels thread and omp_state, and if they apply,
// region, rank and wait_id. The thread's number is the number in `ompprof report --threads`; with several processes,
// PID/NUMBER. A function's name is short (ShortName). Its system_name is the full name with parameters and template
// arguments; if the full name is not longer, the name as linked.
void Pprof(const analyze::View& view, const model::Symbolizer& symbolizer, const Sink& sink);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_PPROF_H_
