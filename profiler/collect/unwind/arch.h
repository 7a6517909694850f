// Chooses the processor's file. Everything else in this folder is common to all processors.
#ifndef OMPPROF_PROFILER_COLLECT_UNWIND_ARCH_H_
#define OMPPROF_PROFILER_COLLECT_UNWIND_ARCH_H_

#if defined(__x86_64__)
#include "profiler/collect/arch/x86_64/unwind.h"
#else
#error "unwinding is written for x86-64 only: another architecture needs its arch_*.h"
#endif

#endif  // OMPPROF_PROFILER_COLLECT_UNWIND_ARCH_H_
