// What a report on a part of a run says about that part (`--phase`, `--region`, `--thread`).
#ifndef OMPPROF_PROFILER_REPORT_SECTIONS_SELECTION_H_
#define OMPPROF_PROFILER_REPORT_SECTIONS_SELECTION_H_

#include <string>

#include "profiler/analyze/view/view.h"

namespace ompprof::report {

// "phase solve, thread 2: 1.20 s of 3.40 s of CPU sampled". Empty if the view is of the whole run.
std::string SelectionText(const analyze::View& view);

// The tables that the report lacks because their figures are known of the whole run only. Empty likewise.
std::string LeftOutText(const analyze::View& view);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_SECTIONS_SELECTION_H_
