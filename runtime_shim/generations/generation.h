// The older generations of OMPT that the shim can speak, for tools of their time. In front of an older tool stands a
// tool of OpenMP 5.1. It hears the shim's events, and tells the older tool in the words of its generation.
#ifndef RUNTIME_SHIM_GENERATIONS_GENERATION_H_
#define RUNTIME_SHIM_GENERATIONS_GENERATION_H_

#include <omp-tools.h>

namespace gomp_ompt {

// The tool that the shim starts for `tool`, which is what ompt_start_tool returned: `tool` itself, or the tool that
// stands in front of it if GOMP_OMPT_GENERATION asks for an older generation. An unknown value counts as "5", with a
// line on stderr. Called once at a time, before the tool is started.
ompt_start_tool_result_t* InItsGeneration(ompt_start_tool_result_t* tool);

}  // namespace gomp_ompt

#endif  // RUNTIME_SHIM_GENERATIONS_GENERATION_H_
