// The OMPT tool: its activation by one or more runtimes.
#ifndef OMPPROF_PROFILER_COLLECT_OMPT_TOOL_H_
#define OMPPROF_PROFILER_COLLECT_OMPT_TOOL_H_

#include <omp-tools.h>

#include "profiler/collect/ompt/generation.h"

namespace ompprof::collect {

// The answer for ompt_start_tool. NULL: there is no session, or there are too many runtimes.
ompt_start_tool_result_t* StartTool(unsigned int omp_version, const char* runtime_version);

// The initializer for a runtime of a generation that looks for ompt_initialize (kTr2) or ompt_tool (kDraft). 1: the
// tool is active. 0: as above, or the process has such a runtime already.
int StartOlderTool(Generation generation, ompt_function_lookup_t lookup, const char* runtime_version);

// Called at omp_control_tool(end) and at exit: from here on, the tool asks no runtime.
void DeactivateTool();

// Ends the profiler's own shim, if there is one. From here on, its wrappers are tail calls and make no system call.
void FinalizeShims();

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_OMPT_TOOL_H_
