// Machine code that walks recognize by its bytes. Async-signal-safe.
//
//   kSignalTrampoline, IsSignalTrampoline()   the kernel's return from a signal handler
//   FollowsCall()                             whether a call instruction ends where 8 bytes do
//   kSystemCallBytes, IsSystemCall()          the instruction that enters the kernel
//   kYieldCall                                how libc's sched_yield enters the kernel
#ifndef OMPPROF_PROFILER_COLLECT_ARCH_CODE_H_
#define OMPPROF_PROFILER_COLLECT_ARCH_CODE_H_

#if defined(__x86_64__)
#include "profiler/collect/arch/x86_64/code.h"
#else
#error "the collector does not know this processor: see profiler/collect/arch/README.md"
#endif

#endif  // OMPPROF_PROFILER_COLLECT_ARCH_CODE_H_
