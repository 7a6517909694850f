// The table of locks for a terminal: `ompprof report --locks`.
#ifndef OMPPROF_PROFILER_REPORT_LOCKS_TEXT_H_
#define OMPPROF_PROFILER_REPORT_LOCKS_TEXT_H_

#include <string>

#include "profiler/analyze/account/locks.h"
#include "profiler/analyze/view/view.h"
#include "profiler/report/text_options.h"

namespace ompprof::report {

// The lock with the longest waits comes first. Below each lock are its holders and the places of its waits. If the
// locks do not fit a screen, locks from one call share a row.
std::string TextLocks(const analyze::View& view, const analyze::Locks& locks, const TextOptions& options);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_LOCKS_TEXT_H_
