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
  int result;  // ompt_set_result_t; -1 before registration
};

// All callbacks the collector wants. In the initializer.
void RegisterCallbacks(ompt_set_callback_t set_callback);

// The registrations and what the runtime said to each.
const CallbackRegistration* Registrations(uint32_t* count);

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_OMPT_CALLBACKS_H_
