// The events of Technical Report 2: the callbacks of the older tool, and the callbacks of the tool that stands in front
// of it and hears the shim's events.
#ifndef RUNTIME_SHIM_GENERATIONS_EARLY_EVENTS_H_
#define RUNTIME_SHIM_GENERATIONS_EARLY_EVENTS_H_

#include <omp-tools.h>

namespace gomp_ompt {
namespace early {

// Called before the tool's initializer. `set_callback`: the shim's own.
void BindEvents(ompt_set_callback_t set_callback);

// ompt_set_callback and ompt_get_callback.
int SetCallback(int event, ompt_callback_t callback);
int GetCallback(int event, ompt_callback_t* callback);

// Tells the tool of the runtime's end, which OpenMP 5.1 tells by the finalizer.
void TellShutdown();

}  // namespace early
}  // namespace gomp_ompt

#endif  // RUNTIME_SHIM_GENERATIONS_EARLY_EVENTS_H_
