// Keeps the collector's arithmetic apart from the program's floating-point environment (C11, section 7.6).
//
//   OwnFloatingPoint   while an object lives, no exception traps. At its end, the thread's environment is as before.
//
// The signal handler needs no such object: the kernel gives the handler an environment and restores the program's
// environment.
#ifndef OMPPROF_PROFILER_COLLECT_ARCH_FLOATING_POINT_H_
#define OMPPROF_PROFILER_COLLECT_ARCH_FLOATING_POINT_H_

#if defined(__x86_64__)
#include "profiler/collect/arch/x86_64/floating_point.h"
#else
#error "the collector does not know this processor: see profiler/collect/arch/README.md"
#endif

#endif  // OMPPROF_PROFILER_COLLECT_ARCH_FLOATING_POINT_H_
