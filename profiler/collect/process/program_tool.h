// OMPT tools that the program would have without this library. A runtime starts one tool: the first ompt_start_tool of
// the address space that does not decline, otherwise the first of OMP_TOOL_LIBRARIES (OpenMP 5.1, 4.2.2). This library
// stands early in the search order. The program's own tools go first all the same, so that the program runs as alone.
#ifndef OMPPROF_PROFILER_COLLECT_PROCESS_PROGRAM_TOOL_H_
#define OMPPROF_PROFILER_COLLECT_PROCESS_PROGRAM_TOOL_H_

#include <omp-tools.h>

namespace ompprof::collect {

// For a runtime that asks this library's ompt_start_tool with these arguments. True, with a note, if another tool goes
// first. `*answer` is then the answer for the runtime: that tool, or NULL if the runtime will find the tool by itself.
// Never true for the shim, which itself asks the program's tool first where the user wants that.
bool LeavesToProgramsTool(unsigned int omp_version, const char* runtime_version, ompt_start_tool_result_t** answer);

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_PROCESS_PROGRAM_TOOL_H_
