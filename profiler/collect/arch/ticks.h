// The processor's own count of time.
//
//   kTickSource   the kernel's name for a clock source that uses this count. The kernel uses it if the count runs
//   evenly. ReadTicks()   the count. Async-signal-safe.
#ifndef OMPPROF_PROFILER_COLLECT_ARCH_TICKS_H_
#define OMPPROF_PROFILER_COLLECT_ARCH_TICKS_H_

#if defined(__x86_64__)
#include "profiler/collect/arch/x86_64/ticks.h"
#else
#error "the collector does not know this processor: see profiler/collect/arch/README.md"
#endif

#endif  // OMPPROF_PROFILER_COLLECT_ARCH_TICKS_H_
