// The text report's sections about waiting: how well the threads were used, who waits where, who makes others wait,
// what could be gained.
#ifndef OMPPROF_PROFILER_REPORT_WAITS_TEXT_H_
#define OMPPROF_PROFILER_REPORT_WAITS_TEXT_H_

#include <string>
#include <vector>

#include "profiler/analyze/advice.h"
#include "profiler/analyze/efficiency.h"
#include "profiler/analyze/locks.h"
#include "profiler/analyze/view.h"
#include "profiler/report/text_options.h"

namespace ompprof::report {

// Each is empty where there is nothing to say.
std::string EfficiencyText(const analyze::Efficiency& efficiency, const Style& style);
std::string AdviceSection(const analyze::View& view, const std::vector<analyze::Advice>& advice,
                          const analyze::Locks* locks, uint64_t duration_ns, size_t limit, const Style& style);
// What nobody is blamed for, a line each.
std::string UnblamedText(const analyze::View& view, const Style& style);
// Where waiting happened, exactly, with who came last at barriers.
std::string WaitsText(const analyze::View& view, const TextOptions& options);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_WAITS_TEXT_H_
