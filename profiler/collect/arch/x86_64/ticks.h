// The time stamp counter.
#ifndef OMPPROF_PROFILER_COLLECT_ARCH_X86_64_TICKS_H_
#define OMPPROF_PROFILER_COLLECT_ARCH_X86_64_TICKS_H_

#include <stdint.h>

namespace ompprof::collect {

// The kernel keeps time by this clock source only if it has seen that the counter runs evenly, never stops, and is the
// same on all processors (Documentation/virt/kvm/x86/timekeeping.rst, section 2.3).
inline constexpr char kTickSource[] = "tsc";

// Async-signal-safe.
inline uint64_t ReadTicks() { return __builtin_ia32_rdtsc(); }

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_ARCH_X86_64_TICKS_H_
