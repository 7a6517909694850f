// A profile for https://www.speedscope.app, in its own JSON format: one profile for each thread.
#ifndef OMPPROF_PROFILER_REPORT_SPEEDSCOPE_H_
#define OMPPROF_PROFILER_REPORT_SPEEDSCOPE_H_

#include <string>

#include "profiler/analyze/view.h"

namespace ompprof::report {

// With a timeline, stacks are where they were in the run's wall time, the same for all threads, waits included and what
// nothing is known of left empty. Otherwise they come in no order, each as long as its CPU time (or as many events as
// were counted).
std::string Speedscope(const analyze::View& view);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_SPEEDSCOPE_H_
