// Folded stacks, the input of flame-graph scripts: one line for each path, its functions from the root joined by ';',
// a space, and a number.
#ifndef OMPPROF_PROFILER_REPORT_FOLDED_H_
#define OMPPROF_PROFILER_REPORT_FOLDED_H_

#include <string>

#include "profiler/analyze/view.h"

namespace ompprof::report {

// The number is how many samples the path has. A ';' in a name becomes ':', a line break a space: the format has no way
// to quote them. Lines are sorted. With `by_phase` a path begins with its phase, in brackets.
std::string Folded(const analyze::View& view, bool by_phase = false);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_FOLDED_H_
