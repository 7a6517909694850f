// OMPT as in the chapter of Technical Report 6 (spec 000). Its symbol is ompt_start_tool, as in OpenMP 5.x.
#ifndef RUNTIME_SHIM_GENERATIONS_TR6_H_
#define RUNTIME_SHIM_GENERATIONS_TR6_H_

#include <omp-tools.h>

namespace gomp_ompt {

// A tool of OpenMP 5.1 that speaks for `tool`, whose ompt_start_tool returned an ompt_fns_t. There is one such tool at
// a time.
ompt_start_tool_result_t* FrontOfTr6Tool(ompt_start_tool_result_t* tool);

}  // namespace gomp_ompt

#endif  // RUNTIME_SHIM_GENERATIONS_TR6_H_
