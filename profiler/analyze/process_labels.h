// Short names that tell a view's processes apart. Tables of threads show them.
#ifndef OMPPROF_PROFILER_ANALYZE_PROCESS_LABELS_H_
#define OMPPROF_PROFILER_ANALYZE_PROCESS_LABELS_H_

#include <string>
#include <vector>

#include "profiler/analyze/view.h"

namespace ompprof::analyze {

// By number in RunFacts::processes, no two alike: "42"; where several have one process id, as in containers or on
// several hosts, all are "42@host", or "42@host#3", the third of the view, if that is not enough.
std::vector<std::string> ProcessLabels(const View& view);

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_PROCESS_LABELS_H_
