// Locks: how long threads waited for them, and for whom.
#ifndef OMPPROF_PROFILER_REPORT_SECTIONS_LOCKS_H_
#define OMPPROF_PROFILER_REPORT_SECTIONS_LOCKS_H_

#include <string>

#include "profiler/analyze/account/locks.h"
#include "profiler/analyze/view/view.h"
#include "profiler/report/basics/json_writer.h"
#include "profiler/report/basics/text_options.h"

namespace ompprof::report {

// The lock with the longest waits comes first. Below each lock are its holders and the places of its waits. If the
// locks do not fit a screen, locks from one call share a row.
std::string TextLocks(const analyze::View& view, const analyze::Locks& locks, const TextOptions& options);

// Writes the member into the object that is open.
void JsonLocks(const analyze::View& view, const analyze::Locks& locks, JsonWriter* json);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_SECTIONS_LOCKS_H_
