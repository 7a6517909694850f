// Captures the caller's own registers, so that a walk can begin outside a signal handler. OMPT callbacks use it to find
// the place that creates a parallel region or a task.
#ifndef OMPPROF_PROFILER_COLLECT_UNWIND_CAPTURE_CONTEXT_H_
#define OMPPROF_PROFILER_COLLECT_UNWIND_CAPTURE_CONTEXT_H_

#include <ucontext.h>

#include "profiler/collect/arch/registers.h"

namespace ompprof::collect {

// Fills in the general registers of the function that this is inlined into, and nothing else of `context`. This takes a
// dozen stores, where getcontext makes a system call. The walk must end before that function returns. The walk's first
// frame is that function. Async-signal-safe.
inline __attribute__((always_inline)) void CaptureContext(ucontext_t* context) { arch::CaptureRegisters(context); }

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_UNWIND_CAPTURE_CONTEXT_H_
