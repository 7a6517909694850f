// The two oldest generations of OMPT: Technical Report 2 (spec 003), and the draft behind it (spec 004) in the form
// that LLVM 3.9 to 5 gave it. Threads, regions and tasks have integer ids, events have no data words and no return
// addresses. Both have the events and entry points of Technical Report 2. They differ in the start of a tool and in a
// frame's second address.
#ifndef RUNTIME_SHIM_GENERATIONS_EARLY_H_
#define RUNTIME_SHIM_GENERATIONS_EARLY_H_

#include <omp-tools.h>

#include "runtime_shim/ompt/tool_search.h"

namespace gomp_ompt {

// `initialize`: the tool's ompt_initialize. A tool of OpenMP 5.1 that speaks for it. There is one such tool at a time.
ompt_start_tool_result_t* StartTr2Tool(void* initialize, const RuntimeName& runtime);

// `tool`: the tool's ompt_tool, which returns the initializer, or NULL to decline.
ompt_start_tool_result_t* StartDraftTool(void* tool, const RuntimeName& runtime);

}  // namespace gomp_ompt

#endif  // RUNTIME_SHIM_GENERATIONS_EARLY_H_
