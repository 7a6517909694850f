// The OMPT tool: its activation by one runtime or more.
#ifndef OMPPROF_PROFILER_COLLECT_OMPT_TOOL_H_
#define OMPPROF_PROFILER_COLLECT_OMPT_TOOL_H_

#include <omp-tools.h>

namespace ompprof::collect {

// What ompt_start_tool is to answer; NULL: no session, or more runtimes than there is room for.
ompt_start_tool_result_t* StartTool(unsigned int omp_version, const char* runtime_version);

// omp_control_tool(end), exit: the tool asks for no more callbacks' worth, of any runtime.
void DeactivateTool();

// Ends the profiler's own shim, if there is one: its wrappers are tail calls from here on, and make no system call.
void FinalizeShims();

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_OMPT_TOOL_H_
