// The OMPT tool: its activation by one runtime or more, and what each said of itself.
#ifndef OMPPROF_PROFILER_COLLECT_OMPT_TOOL_H_
#define OMPPROF_PROFILER_COLLECT_OMPT_TOOL_H_

#include <omp-tools.h>
#include <stdint.h>

#include "profiler/collect/ompt/callbacks.h"

namespace ompprof::collect {

// What the writer puts into the profile's Runtime message.
struct RuntimeFacts {
  static constexpr uint32_t kMaxEnumerators = 64;
  struct Enumerator {
    const char* name;  // the runtime's own storage
    int value;
  };
  char version[256];
  uint32_t omp_version;
  Enumerator states[kMaxEnumerators];
  uint32_t state_count;
  Enumerator mutex_impls[kMaxEnumerators];
  uint32_t mutex_impl_count;
  const char* missing[32];  // names of entry points the lookup answered with NULL
  uint32_t missing_count;
  int callback_results[kRegistrations];  // ompt_set_result_t, by registration
  uintptr_t code;                        // an address in the runtime
};

// What ompt_start_tool is to answer; NULL: no session, or more runtimes than there is room for.
ompt_start_tool_result_t* StartTool(unsigned int omp_version, const char* runtime_version);

// Of runtime 0 .. kMaxRuntimes - 1; NULL as long as it has not initialized the tool. Any thread.
const RuntimeFacts* Facts(int runtime);

// It is GCC's, under a shim.
bool IsGomp(int runtime);

// Whether the runtime of that number is the profiler's shim before GCC's libgomp, by the version that it gives: its
// code is the profiler's own, and libgomp is an object beside it.
bool IsShim(int runtime);

// omp_control_tool(end), exit: the tool asks for no more callbacks' worth, of any runtime.
void DeactivateTool();

// Ends the profiler's own shim, if there is one: its wrappers are tail calls from here on, and make no system call.
void FinalizeShims();

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_OMPT_TOOL_H_
