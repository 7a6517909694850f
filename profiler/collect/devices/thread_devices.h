// The device operation that one thread is in, as its OMPT callbacks tell.
#ifndef OMPPROF_PROFILER_COLLECT_DEVICES_THREAD_DEVICES_H_
#define OMPPROF_PROFILER_COLLECT_DEVICES_THREAD_DEVICES_H_

#include <stdint.h>

namespace ompprof::collect {

struct DeviceCounts;
struct OpenTask;

struct ThreadDevices {
  // The target construct that the thread has begun and not ended. Read by the signal handler.
  volatile bool in_construct;
  const OpenTask* volatile construct_task;  // the implicit task in which it began; NULL: in none

  // The operation under way. Operations do not nest.
  uint64_t operation_since_ns;  // 0: none
  uint64_t operation_cpu_ns;    // the thread's CPU clock at that time; 0: not read
  uint64_t waited_before_ns;    // ThreadWaits::waited_ns at that time
  DeviceCounts* counts;         // of the operation; NULL: it is not counted

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
  }
};

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_DEVICES_THREAD_DEVICES_H_
