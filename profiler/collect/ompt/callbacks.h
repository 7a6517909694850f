// The tool's side of OMPT: the registered callbacks and the work of each.
#ifndef OMPPROF_PROFILER_COLLECT_OMPT_CALLBACKS_H_
#define OMPPROF_PROFILER_COLLECT_OMPT_CALLBACKS_H_

#include <omp-tools.h>
#include <stdint.h>

#include "profiler/collect/ompt/runtime_facts.h"

namespace ompprof::collect {

struct CallbackRegistration {
  const char* name;
  ompt_callbacks_t event;
  ompt_callback_t callback;
  bool of_waits;  // serves only waits, blame and worksharing: not registered with --waits=off
};

// All kRegistrations callbacks, as the runtime with this number calls them.
const CallbackRegistration* Registrations(int runtime);

// Registers all callbacks that the session needs. Callbacks of worksharing constructs are registered only if
// `worksharing`. `results`: the runtime's answer to each; 0 for callbacks that were not registered. Called in the
// initializer.
void RegisterCallbacks(int runtime, ompt_set_callback_t set_callback, bool worksharing, int* results);

// Carries out omp_control_tool: returns 0, or 1 for an unknown command. Set before a runtime starts the tool.
extern int (*control_command)(uint64_t command);

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_OMPT_CALLBACKS_H_
