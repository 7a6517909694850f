// Whether the program can spare a descriptor. Descriptors belong to the program: it may list them, close them, or have
// no more than four.
#ifndef OMPPROF_PROFILER_COLLECT_SAMPLING_FEW_DESCRIPTORS_H_
#define OMPPROF_PROFILER_COLLECT_SAMPLING_FEW_DESCRIPTORS_H_

#include <sys/resource.h>
#include <sys/syscall.h>

#include "profiler/collect/base/os.h"

namespace ompprof::collect {

// The process's limit on open files, which is the lowest number that no descriptor has. Async-signal-safe.
inline rlim_t DescriptorLimit() {
  rlimit limit;
  return RawSyscall(SYS_getrlimit, RLIMIT_NOFILE, reinterpret_cast<long>(&limit)) == 0 ? limit.rlim_cur : RLIM_INFINITY;
}

// Whether the limit leaves little room where the lowest free descriptor is `taken`. Then no perf event is made.
// Async-signal-safe.
inline bool FewDescriptors(long taken) {
  constexpr rlim_t kFew = 64;
  const rlim_t limit = DescriptorLimit();
  return limit < kFew || static_cast<rlim_t>(taken) + 8 >= limit;
}

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_SAMPLING_FEW_DESCRIPTORS_H_
