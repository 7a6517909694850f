// The collector's own code.
#ifndef OMPPROF_PROFILER_COLLECT_BASE_OWN_CODE_H_
#define OMPPROF_PROFILER_COLLECT_BASE_OWN_CODE_H_

#include <stdint.h>

// From the linker: the begin of this library, and its end.
extern const char __ehdr_start[] __attribute__((visibility("hidden")));
extern const char _end[] __attribute__((visibility("hidden")));

namespace ompprof::collect {

inline uintptr_t OwnCodeBegin() { return reinterpret_cast<uintptr_t>(__ehdr_start); }
inline uintptr_t OwnCodeEnd() { return reinterpret_cast<uintptr_t>(_end); }

// Whether the code at `pc` belongs to the collector.
inline bool IsOwnCode(uintptr_t pc) { return pc - OwnCodeBegin() < OwnCodeEnd() - OwnCodeBegin(); }

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_BASE_OWN_CODE_H_
