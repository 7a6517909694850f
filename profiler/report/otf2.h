// Exports the timeline as a trace in the Open Trace Format 2, for Vampir, otf2-print and other readers of Score-P's
// traces. `ompprof export` calls it.
//
// The format has no description but its library, libotf2. ompprof looks for the library when this format is asked for
// (dlopen), so that no other command needs it.
#ifndef OMPPROF_PROFILER_REPORT_OTF2_H_
#define OMPPROF_PROFILER_REPORT_OTF2_H_

#include <string>

#include "profiler/analyze/view/view.h"
#include "profiler/model/status.h"

namespace ompprof::report {

// Makes the folder `path` with traces.otf2 and the files that belong to it. `path` must not exist, and `view` must have
// a timeline. Each thread is a location. Its events enter and leave the functions of the call path; gaps are outside of
// all functions. Times are nanoseconds since the first process's start.
model::Status Otf2(const analyze::View& view, const std::string& path);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_OTF2_H_
