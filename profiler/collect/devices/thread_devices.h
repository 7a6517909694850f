// The target constructs and the device operations that one thread is in, as its OMPT callbacks tell.
#ifndef OMPPROF_PROFILER_COLLECT_DEVICES_THREAD_DEVICES_H_
#define OMPPROF_PROFILER_COLLECT_DEVICES_THREAD_DEVICES_H_

#include <stdint.h>

namespace ompprof::collect {

struct ThreadDevices {
  struct Construct {
    uint64_t since_ns;
    uint64_t codeptr_ra;
    uint32_t work;  // DeviceWork
    uint32_t device;
  };
  // Target constructs within target constructs: a region that is executed on the host may have further constructs.
  static constexpr uint32_t kMost = 8;
  Construct open[kMost];
  uint32_t depth;  // may exceed kMost

  // The operation under way. Operations do not nest.
  uint64_t operation_since_ns;  // 0: none
  uint64_t operation_cpu_ns;    // the thread's CPU clock at that time; 0: not read

  Construct* Innermost() { return depth != 0 && depth <= kMost ? &open[depth - 1] : nullptr; }

  void Reset() {
    depth = 0;
    operation_since_ns = 0;
  }
};

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_DEVICES_THREAD_DEVICES_H_
