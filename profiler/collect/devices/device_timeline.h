// The timeline of devices (--timeline): operations on their way to the writer. Lock-free, in fixed memory. Callbacks of
// any thread and of the devices' traces add operations, and the writer takes them.
#ifndef OMPPROF_PROFILER_COLLECT_DEVICES_DEVICE_TIMELINE_H_
#define OMPPROF_PROFILER_COLLECT_DEVICES_DEVICE_TIMELINE_H_

#include <stdint.h>

#include <atomic>

namespace ompprof::collect {

struct TimedOperation {
  uint32_t thread;  // the host's thread; 0: a kernel of a device's trace
  uint32_t stats;   // DeviceStats.id
  uint64_t begin_ns;
  uint64_t duration_ns;
  uint64_t bytes;
};

class DeviceTimeline {
 public:
  static constexpr uint32_t kPlaces = 1u << 15;

  // Counts the operation as lost if the writer does not keep up.
  void Add(const TimedOperation& operation);

  // For the writer. False if there is none.
  bool Take(TimedOperation* operation);
  uint64_t lost() const { return lost_.load(std::memory_order_relaxed); }

  // For a forked child.
  void Forget();

 private:
  // A place is free for the operation with number `turn`, and full for the writer at `turn` + 1. Zero is the first turn
  // of each place: turns count whole rounds of the ring, two for each.
  struct Place {
    std::atomic<uint64_t> turn;
    TimedOperation operation;
  };

  std::atomic<uint64_t> head_;
  std::atomic<uint64_t> tail_;
  std::atomic<uint64_t> lost_;
  Place places_[kPlaces];
};
extern DeviceTimeline device_timeline;

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_DEVICES_DEVICE_TIMELINE_H_
