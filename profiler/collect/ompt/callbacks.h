// The tool's side of OMPT: what is registered, what each callback does.
#ifndef OMPPROF_PROFILER_COLLECT_OMPT_CALLBACKS_H_
#define OMPPROF_PROFILER_COLLECT_OMPT_CALLBACKS_H_

#include <omp-tools.h>
#include <stdint.h>

namespace ompprof::collect {

struct CallbackRegistration {
  const char* name;
  ompt_callbacks_t event;
  ompt_callback_t callback;
  bool of_waits;  // only waits, blame and what is shared out want it: not registered with --waits=off
};

// How many callbacks the collector wants.
inline constexpr uint32_t kRegistrations = 18;

// They, as the runtime of that number is to call them.
const CallbackRegistration* Registrations(int runtime);

// Registers all of them that the session wants, those of worksharing constructs only if that is said. `results`: what
// the runtime said to each, 0 for those not registered. In the initializer.
void RegisterCallbacks(int runtime, ompt_set_callback_t set_callback, bool worksharing, int* results);

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_OMPT_CALLBACKS_H_
