// The text report's sections about waiting: efficiency, advice, unattributed waiting, places of waits.
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

// Each text is empty if it has nothing to say.
std::string EfficiencyText(const analyze::View& view, const analyze::Efficiency& efficiency, const Style& style);
std::string AdviceSection(const analyze::View& view, const std::vector<analyze::Advice>& advice,
                          const analyze::Locks* locks, uint64_t duration_ns, size_t limit, const Style& style);
// Waiting without blame for any code, a line for each reason.
std::string UnblamedText(const analyze::View& view, const Style& style);
// The places of waits, exactly, with the threads that came last to barriers.
std::string WaitsText(const analyze::View& view, const TextOptions& options);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_WAITS_TEXT_H_
