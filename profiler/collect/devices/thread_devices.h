// The device operation that one thread is in, as its OMPT callbacks tell.
#ifndef OMPPROF_PROFILER_COLLECT_DEVICES_THREAD_DEVICES_H_
#define OMPPROF_PROFILER_COLLECT_DEVICES_THREAD_DEVICES_H_

#include <stdint.h>

namespace ompprof::collect {

struct DeviceCounts;
struct OpenTask;

// How the thread waits for the device during an operation.
enum class DeviceWaits : uint8_t {
  kNone,
  kAsleep,      // while it does not run, by its CPU clock
  kThroughout,  // from begin to end. A GPU's driver spins: the CPU clock shows no wait
  kAfterwards   // from its end to the next operation, or to the construct's end: the launch only queues the kernel
};

struct ThreadDevices {
  // The target construct that the thread has begun and not ended. Read by the signal handler.
  volatile bool in_construct;
  const OpenTask* volatile construct_task;  // the implicit task in which it began; NULL: in none

  // The operation under way. Operations do not nest.
  uint64_t operation_since_ns;  // 0: none
  uint64_t operation_cpu_ns;    // the thread's CPU clock at that time; 0: not read
  uint64_t waited_before_ns;    // ThreadWaits::waited_ns at that time
  DeviceCounts* counts;         // of the operation; NULL: it is not counted
  DeviceWaits waits;            // of the operation

  DeviceCounts* queued;      // the launch that the open construct has queued; NULL: none
  uint64_t queued_since_ns;  // the launch's begin; 0: it is counted already
  uint64_t queued_until_ns;  // the end of the last operation

  void EnterConstruct(const OpenTask* task) {
    construct_task = task;
    in_construct = true;
  }
  void LeaveConstruct() { in_construct = false; }
  // Whether the thread is in the construct itself. In a region of a kernel that the thread executes, it is not.
  bool IsInConstruct(const OpenTask* task) const { return in_construct && construct_task == task; }

  void Reset() {
    in_construct = false;
    operation_since_ns = 0;
    counts = nullptr;
    queued = nullptr;
  }
};

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_DEVICES_THREAD_DEVICES_H_
