// The text report's section about waits outside of OpenMP, and the advice on locks there.
#ifndef OMPPROF_PROFILER_REPORT_SECTIONS_OUTSIDE_WAITS_H_
#define OMPPROF_PROFILER_REPORT_SECTIONS_OUTSIDE_WAITS_H_

#include <cstddef>
#include <string>

#include "profiler/analyze/advice/advice.h"
#include "profiler/analyze/view/view.h"
#include "profiler/report/basics/text_options.h"

namespace ompprof::report {

// `usual`: the number of rows without --limit. Empty if there are no such waits.
std::string OutsideWaitsText(const analyze::View& view, const TextOptions& options, size_t usual);

// Of AdviceKind::kOutsideLock: the lock, as "pthread mutex at solve.cc:12"; the change; the evidence.
std::string OutsideLockWhere(const analyze::View& view, const analyze::Advice& advice);
std::string OutsideLockText(const analyze::Advice& advice);
std::string OutsideLockEvidence(const analyze::Advice& advice);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_SECTIONS_OUTSIDE_WAITS_H_
