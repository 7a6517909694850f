// The processor's own count of time, where there is one that is known to run evenly: one file per architecture.
#ifndef OMPPROF_PROFILER_COLLECT_BASE_TICKS_H_
#define OMPPROF_PROFILER_COLLECT_BASE_TICKS_H_

#if defined(__x86_64__)
#include "profiler/collect/arch/x86_64/ticks.h"
#else
#include <stdint.h>

namespace ompprof::collect {
// None: kTickSource names no clock source of the kernel's.
inline constexpr char kTickSource[] = "";
inline uint64_t ReadTicks() { return 0; }
}  // namespace ompprof::collect
#endif

#endif  // OMPPROF_PROFILER_COLLECT_BASE_TICKS_H_
