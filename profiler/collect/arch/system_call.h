// A system call without libc: no errno, no cancellation point, no PLT. Async-signal-safe.
//
//   RawSyscall()   returns the kernel's value, -errno on error
#ifndef OMPPROF_PROFILER_COLLECT_ARCH_SYSTEM_CALL_H_
#define OMPPROF_PROFILER_COLLECT_ARCH_SYSTEM_CALL_H_

#if defined(__x86_64__)
#include "profiler/collect/arch/x86_64/system_call.h"
#else
#error "the collector does not know this processor: see profiler/collect/arch/README.md"
#endif

#endif  // OMPPROF_PROFILER_COLLECT_ARCH_SYSTEM_CALL_H_
