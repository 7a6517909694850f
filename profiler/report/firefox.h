// Exports a view for https://profiler.firefox.com, in its "processed profile" JSON. `ompprof export` calls it.
#ifndef OMPPROF_PROFILER_REPORT_FIREFOX_H_
#define OMPPROF_PROFILER_REPORT_FIREFOX_H_

#include "profiler/analyze/view/view.h"
#include "profiler/model/symbolizer.h"
#include "profiler/report/sink.h"

namespace ompprof::report {

// Each thread has its samples, weighted by what they stand for. With a timeline, samples have their times, and each
// stretch of waiting is a marker. Without a timeline, samples have no order: each begins where the one before it ends.
void Firefox(const analyze::View& view, const model::Symbolizer& symbolizer, const Sink& sink);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_FIREFOX_H_
