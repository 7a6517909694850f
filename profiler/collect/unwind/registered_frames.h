// Call frame information of generated code, which a program registers with its C++ runtime (__register_frame): LLVM's
// JIT compilers do so, and with them numba, Julia and many databases.
#ifndef OMPPROF_PROFILER_COLLECT_UNWIND_REGISTERED_FRAMES_H_
#define OMPPROF_PROFILER_COLLECT_UNWIND_REGISTERED_FRAMES_H_

#include <stdint.h>

#include "profiler/collect/unwind/fde_finder.h"

namespace ompprof::collect {

// Entries of generated code have no object: their bytes are read by checked reads, wherever they lie.
inline constexpr Object kNoObject = {1, UINTPTR_MAX, nullptr, false};

// The argument of __register_frame: an .eh_frame section that an empty entry ends (libgcc), or one FDE (LLVM's
// libunwind). The time is proportional to the section's length. Functions beyond some 10,000 are not taken in.
void AddRegisteredFrames(const void* begin);
void RemoveRegisteredFrames(const void* begin);

// Like FindFde, for generated code. Some four checked reads; none if `pc` is in no registered function.
// Async-signal-safe.
bool FindRegisteredFde(uintptr_t pc, EntryScratch* scratch, Fde* fde);

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_UNWIND_REGISTERED_FRAMES_H_
