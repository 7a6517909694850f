// The device operation that one thread is in, as its OMPT callbacks tell.
#ifndef OMPPROF_PROFILER_COLLECT_DEVICES_THREAD_DEVICES_H_
#define OMPPROF_PROFILER_COLLECT_DEVICES_THREAD_DEVICES_H_

#include <stdint.h>

namespace ompprof::collect {

struct DeviceCounts;

struct ThreadDevices {
  // The operation under way. Operations do not nest.
  uint64_t operation_since_ns;  // 0: none
  uint64_t operation_cpu_ns;    // the thread's CPU clock at that time; 0: not read
  DeviceCounts* counts;         // of the operation; NULL: it is not counted

  void Reset() {
    operation_since_ns = 0;
    counts = nullptr;
  }
};

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_DEVICES_THREAD_DEVICES_H_
