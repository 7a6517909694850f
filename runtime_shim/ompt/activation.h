// Starts and ends a tool (OpenMP 5.1 section 4.2). tool_search.h finds the tool.
#ifndef RUNTIME_SHIM_OMPT_ACTIVATION_H_
#define RUNTIME_SHIM_OMPT_ACTIVATION_H_

#include <omp-tools.h>

#include "runtime_shim/ompt/tool_search.h"
#include "runtime_shim/ompt/tool_state.h"

namespace gomp_ompt {

// The parts of the shim that a tool's start needs, and that stand above this folder.
struct ShimParts {
  void (*find_queries)();         // fills in runtime_queries
  ToolKinds (*kinds)();           // the generations of OMPT to look for
  ompt_function_lookup_t lookup;  // gives the tool its entry points
  bool (*is_linked)();            // whether an object of the process was linked with the shim
};

// Looks for a tool and starts it, at the process's first call into libgomp (and again in the child of a fork). True if
// a tool is active. `caller` is an address in the calling user's code. Other threads wait here until
// the tool's initializer has returned. Threads that the initializer made do not wait. The tool hears neither of their
// calls nor of the initializer's. One thread calls the functions of `parts`.
bool ActivateTool(const void* caller, const ShimParts& parts);

// Called by ompt_finalize_tool, and at the end of the process. Ends the calling thread for the tool, turns every
// wrapper back into a tail call, and calls the tool's finalizer. No-op without a tool, and from the second time on.
void FinalizeTool();

}  // namespace gomp_ompt

#endif  // RUNTIME_SHIM_OMPT_ACTIVATION_H_
