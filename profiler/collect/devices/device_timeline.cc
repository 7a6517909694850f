#include "profiler/collect/devices/device_timeline.h"

#include <string.h>

#include "profiler/collect/write/writer_wake.h"

namespace ompprof::collect {

DeviceTimeline device_timeline;

void DeviceTimeline::Add(const TimedOperation& operation) {
  uint64_t number = head_.load(std::memory_order_relaxed);
  // A failed exchange means that another thread has added an operation.
  do {
    const Place& place = places_[number % kPlaces];
    if (place.turn.load(std::memory_order_acquire) != number / kPlaces * 2) {
      // The writer has not taken the operation one round before.
      if (number - tail_.load(std::memory_order_relaxed) >= kPlaces) {
        lost_.fetch_add(1, std::memory_order_relaxed);
        return;
      }
      number = head_.load(std::memory_order_relaxed);
      continue;
    }
    if (head_.compare_exchange_weak(number, number + 1, std::memory_order_relaxed)) break;
  } while (true);
  Place& place = places_[number % kPlaces];
  place.operation = operation;
  place.turn.store(number / kPlaces * 2 + 1, std::memory_order_release);
  if (number - tail_.load(std::memory_order_relaxed) > kPlaces / 2) writer_wake.Ask();
}

bool DeviceTimeline::Take(TimedOperation* operation) {
  const uint64_t number = tail_.load(std::memory_order_relaxed);
  Place& place = places_[number % kPlaces];
  if (place.turn.load(std::memory_order_acquire) != number / kPlaces * 2 + 1) return false;
  *operation = place.operation;
  place.turn.store(number / kPlaces * 2 + 2, std::memory_order_release);
  tail_.store(number + 1, std::memory_order_relaxed);
  return true;
}

void DeviceTimeline::Forget() {
  if (head_.load(std::memory_order_relaxed) != 0) memset(static_cast<void*>(this), 0, sizeof *this);
}

}  // namespace ompprof::collect
