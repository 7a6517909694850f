// The events of detachable tasks. libgomp knows an event by the address of its own record of the task. A table here
// leads from this address to the task's record in the shim. Few tasks are detachable, so one lock suffices.
#ifndef RUNTIME_SHIM_GOMP_DETACH_H_
#define RUNTIME_SHIM_GOMP_DETACH_H_

#include <stdint.h>

#include "runtime_shim/ompt/records.h"

namespace gomp_ompt {

// A task is created that completes only after `event`.
void AwaitEvent(Task* task, uintptr_t event);

// The task's code is about to end. True: its event is fulfilled, so the task is complete. Otherwise, the thread that
// fulfills the event waits until CodeHasEnded is called, and then frees the record.
bool CodeIsEnding(Task* task);

// True if the event was fulfilled before.
bool CodeHasEnded(Task* task);

// The task will never run. Tells libgomp that its event is fulfilled.
void AbandonEvent(Task* task);

}  // namespace gomp_ompt

#endif  // RUNTIME_SHIM_GOMP_DETACH_H_
