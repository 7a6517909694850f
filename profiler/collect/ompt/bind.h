// Finds an entry point of a runtime by its name. Called in the tool's initializer.
#ifndef OMPPROF_PROFILER_COLLECT_OMPT_BIND_H_
#define OMPPROF_PROFILER_COLLECT_OMPT_BIND_H_

#include <omp-tools.h>
#include <stdint.h>

namespace ompprof::collect {

// *out is NULL if the runtime has no such entry point.
template <typename Function>
void Bind(ompt_function_lookup_t lookup, const char* name, Function* out) {
  *out = reinterpret_cast<Function>(lookup(name));
}

// Whether the object at `address` is the program itself, with the runtime linked in. There, only the frames' markers
// tell runtime frames from user frames.
bool IsInProgram(uintptr_t address);

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_OMPT_BIND_H_
