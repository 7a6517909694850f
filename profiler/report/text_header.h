// The first lines of the text report: what was profiled, when, how, and what limits the result.
#ifndef OMPPROF_PROFILER_REPORT_TEXT_HEADER_H_
#define OMPPROF_PROFILER_REPORT_TEXT_HEADER_H_

#include <string>

#include "profiler/analyze/summary.h"
#include "profiler/analyze/view.h"

namespace ompprof::report {

// True if sample weights are nanoseconds. Profiles of one view have one unit.
bool WeighsNanoseconds(const analyze::View& view);

// "CPU" or "wall" for nanoseconds, the event's name for events: what a column of weights is called.
std::string WeightTitle(const analyze::View& view);

std::string TextHeader(const analyze::View& view, const analyze::Summary& summary, bool filtered);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_TEXT_HEADER_H_
