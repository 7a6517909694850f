// LLVM's offloading runtime (libomptarget, and a plugin for each kind of device) on the stack. Its frames are runtime
// frames, although it is no part of the OpenMP runtime's own object.
#ifndef OMPPROF_PROFILER_COLLECT_TASKS_OFFLOAD_CODE_H_
#define OMPPROF_PROFILER_COLLECT_TASKS_OFFLOAD_CODE_H_

#include <stdint.h>

#include "profiler/collect/tasks/runtime_code.h"

namespace ompprof::collect {

// Adds the objects that are loaded now. Called when an OpenMP runtime starts the tool, not in the handler. A plugin
// that is loaded later is called by libomptarget, and needs no entry.
void AddOffloadCode(RuntimeCode* code);

// Whether the code at `pc` is the program's, for a device. Async-signal-safe.
bool IsOffloadedCode(uintptr_t pc);

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_TASKS_OFFLOAD_CODE_H_
