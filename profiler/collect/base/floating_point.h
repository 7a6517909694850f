// Keeps the collector's arithmetic apart from the program's floating-point environment (C11, section 7.6). While an
// OwnFloatingPoint lives, no exception traps. At its end, the thread's environment is as before. Each processor has its
// own file. On a processor without a file, a status flag that our arithmetic raises stays raised. The signal handler
// needs no OwnFloatingPoint: the kernel gives it an environment of its own and restores the program's.
#ifndef OMPPROF_PROFILER_COLLECT_BASE_FLOATING_POINT_H_
#define OMPPROF_PROFILER_COLLECT_BASE_FLOATING_POINT_H_

#if defined(__x86_64__)
#include "profiler/collect/arch/x86_64/floating_point.h"
#else
namespace ompprof::collect {
class OwnFloatingPoint {
 public:
  OwnFloatingPoint() {}
};
}  // namespace ompprof::collect
#endif

#endif  // OMPPROF_PROFILER_COLLECT_BASE_FLOATING_POINT_H_
