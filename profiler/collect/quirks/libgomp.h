// GCC's OpenMP runtime, seen through a shim (libgomp_ompt.so), differs from OMPT's text. The shim reports the events of
// a runtime that has no OMPT. The rules are those of libomp.h.
#ifndef OMPPROF_PROFILER_COLLECT_QUIRKS_LIBGOMP_H_
#define OMPPROF_PROFILER_COLLECT_QUIRKS_LIBGOMP_H_

#include <omp-tools.h>
#include <stdint.h>

namespace ompprof::collect::libgomp {

// Whether task_create begins a wait for the task's dependences. An undeferred task waits within libgomp until it is
// scheduled. libomp reports such a wait as a taskwait.
// Seen: 12. Test: blame_test, GompPrograms.
inline bool WaitsForDependences(int task_flags, bool has_dependences) {
  constexpr int kUndeferred = ompt_task_explicit | ompt_task_undeferred;
  return has_dependences && (task_flags & kUndeferred) == kUndeferred;
}

// An address in libgomp.so; 0 if the library is not loaded. libgomp.so, not the shim, has the code that runs the
// program's threads. That code also calls tasks of which the shim does not know. Not in the handler.
// Seen: 9 to 14. Test: gomp_test, Gomp.
uintptr_t Code();

}  // namespace ompprof::collect::libgomp

#endif  // OMPPROF_PROFILER_COLLECT_QUIRKS_LIBGOMP_H_
