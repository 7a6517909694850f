// The table of locks for a terminal: `ompprof report --locks`.
#ifndef OMPPROF_PROFILER_REPORT_LOCKS_TEXT_H_
#define OMPPROF_PROFILER_REPORT_LOCKS_TEXT_H_

#include <string>

#include "profiler/analyze/locks.h"
#include "profiler/analyze/view.h"
#include "profiler/report/text_options.h"

namespace ompprof::report {

// What was waited for most comes first; under each lock who held it and where it was waited for. Locks made by one call
// are one row where there are more than fit a screen.
std::string TextLocks(const analyze::View& view, const analyze::Locks& locks, const TextOptions& options);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_LOCKS_TEXT_H_
