// Starts a tool and ends it. OpenMP 5.1 section 4.2; tool_search.h finds it.
#ifndef RUNTIME_SHIM_OMPT_ACTIVATION_H_
#define RUNTIME_SHIM_OMPT_ACTIVATION_H_

#include <omp-tools.h>

#include "runtime_shim/ompt/tool_state.h"

namespace gomp_ompt {

// Called at the first call into libgomp of the process (and again in the child of a fork): looks for a tool and starts
// it. True if one is active, in mode `active`. `caller` is an address in the user's code that called. Other threads
// wait here until the tool's initializer has returned, but for those that it made itself: their calls, as its own, are
// nothing that the tool hears of. `find_queries` is called first, by one thread: it fills in runtime_queries. `lookup`
// is what the tool gets for its entry points.
bool ActivateTool(Mode active, const void* caller, void (*find_queries)(const void* caller),
                  ompt_function_lookup_t lookup);

// ompt_finalize_tool, and the end of the process: ends the calling thread for the tool, turns every wrapper back into a
// tail call, and calls the tool's finalizer. No-op without a tool, and from the second time on.
void FinalizeTool();

}  // namespace gomp_ompt

#endif  // RUNTIME_SHIM_OMPT_ACTIVATION_H_
