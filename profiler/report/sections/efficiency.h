// The text report's section on efficiency: how well the run used its threads, and where the rest was lost.
#ifndef OMPPROF_PROFILER_REPORT_SECTIONS_EFFICIENCY_H_
#define OMPPROF_PROFILER_REPORT_SECTIONS_EFFICIENCY_H_

#include <string>

#include "profiler/analyze/account/efficiency.h"
#include "profiler/analyze/view/view.h"
#include "profiler/report/basics/style.h"

namespace ompprof::report {

// ", 94.5 % of 2 processors": the busy threads as a share of the processors. Empty where each thread can have one.
std::string OfProcessorsText(const analyze::View& view, const analyze::Efficiency& efficiency);

// Empty without OMPT, without recorded waits, and for a single thread.
std::string EfficiencyText(const analyze::View& view, const analyze::Efficiency& efficiency, const Style& style);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_SECTIONS_EFFICIENCY_H_
