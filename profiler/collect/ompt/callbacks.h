// The tool's side of OMPT: what is registered, what each callback does.
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
  bool of_waits;  // only waits, blame and what is shared out want it: not registered with --waits=off
};

// kRegistrations of them, as the runtime of that number is to call them.
const CallbackRegistration* Registrations(int runtime);

// Registers all of them that the session wants, those of worksharing constructs only if that is said. `results`: what
// the runtime said to each, 0 for those not registered. In the initializer.
void RegisterCallbacks(int runtime, ompt_set_callback_t set_callback, bool worksharing, int* results);

// What carries out omp_control_tool: gives 0 or, for an unknown command, 1. Set before a runtime starts the tool.
extern int (*control_command)(uint64_t command);

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_OMPT_CALLBACKS_H_
