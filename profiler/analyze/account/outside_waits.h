// Waits outside of OpenMP, by place: for mutexes, condition variables and locks of the C library, and in libraries such
// as OpenBLAS (library_waits.h). All figures are sampled. The advice and the reports use them.
#ifndef OMPPROF_PROFILER_ANALYZE_ACCOUNT_OUTSIDE_WAITS_H_
#define OMPPROF_PROFILER_ANALYZE_ACCOUNT_OUTSIDE_WAITS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "profiler/analyze/view/view.h"

namespace ompprof::analyze {

struct OutsideWait {
  std::string what;                 // "pthread mutex", "libc lock in rand", "OpenBLAS"
  Line place;                       // the line of the program's source that led to the wait; no headers of the system
  FunctionId region = kNoFunction;  // the innermost; kNoFunction: none
  uint64_t slept_ns = 0;            // thread-time; in a recording by the wall clock 0, and cpu_ns has the sleep
  uint64_t cpu_ns = 0;              // 0 if samples count events
  double variance = 0;              // of both, in square microseconds

  uint64_t total_ns() const { return slept_ns + cpu_ns; }
  Estimate estimate() const { return {total_ns(), variance}; }
};

// Descending by total_ns(). Empty in the machine view, whose paths do not name waits.
std::vector<OutsideWait> OutsideWaits(const View& view);

// The routine whose lock the C library takes, "rand" for "libc lock in rand"; empty for all else.
std::string LibcRoutine(const std::string& what);

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_ACCOUNT_OUTSIDE_WAITS_H_
