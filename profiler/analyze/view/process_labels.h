// Short, distinct names for a view's processes. Tables of threads show them.
#ifndef OMPPROF_PROFILER_ANALYZE_VIEW_PROCESS_LABELS_H_
#define OMPPROF_PROFILER_ANALYZE_VIEW_PROCESS_LABELS_H_

#include <string>
#include <vector>

#include "profiler/analyze/view/view.h"

namespace ompprof::analyze {

// The names by index in RunFacts::processes: "42". Several processes may have one process id, in containers or on
// several hosts. They are "42@host". If these names are still equal, the third process of the view is "42@host#3".
std::vector<std::string> ProcessLabels(const View& view);

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_VIEW_PROCESS_LABELS_H_
