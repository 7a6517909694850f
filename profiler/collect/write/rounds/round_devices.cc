// The part of a round that writes what the host asked of its devices.
#include "profiler/collect/devices/device_table.h"
#include "profiler/collect/devices/device_timeline.h"
#include "profiler/collect/thread/session.h"
#include "profiler/collect/write/rounds/round.h"

namespace ompprof::collect {

// The devices that have appeared, and the sums for each device and construct.
bool RoundWriter::WriteDevices() {
  for (uint32_t number = 0; number < KnownDevice::kMost; ++number) {
    KnownDevice& device = known_devices[number];
    if (device.written || !device.known.load(std::memory_order_acquire)) continue;
    if (!MakeRoom()) return false;
    EncodeDevice(device, number + 1, &out);
    device.written = true;
  }
  return WriteDeviceStats() && WriteDeviceOperations();
}

// A path's nodes are in the file before the path. The region that continues the path is resolved once, because its
// record serves other regions later.
bool RoundWriter::WriteDeviceStats() {
  for (uint32_t i = 0; i < DeviceTable::size(); ++i) {
    if (!device_table.IsTaken(i)) continue;
    DeviceCounts* counts = device_table.entry(i);
    if (!counts->has_key.load(std::memory_order_acquire)) continue;
    if (!counts->has_splice_id) {
      if (counts->key.path.node != 0 && !WriteNodes()) return false;
      counts->splice_id = contexts.IdOf(counts->key.path.splice);
      counts->has_splice_id = true;
    }
    const uint64_t now = counts->count.load(std::memory_order_acquire) + counts->traced.load(std::memory_order_acquire);
    if (now == counts->written) continue;
    if (!MakeRoom()) return false;
    modules.At(counts->key.codeptr_ra, session.epoch.load(std::memory_order_relaxed));
    EncodeDeviceStats(*counts, i + 1, counts->splice_id, &out);
    counts->written = now;
  }
  return true;
}

// A record has the operations of one thread. A round takes no more than the timeline holds, however fast the program
// adds more.
bool RoundWriter::WriteDeviceOperations() {
  for (uint32_t batches = 0; batches <= DeviceTimeline::kPlaces / kMaxOperationsPerBatch; ++batches) {
    while (operation_count < kMaxOperationsPerBatch && device_timeline.Take(&operations[operation_count]))
      ++operation_count;
    for (uint32_t i = 0; i < operation_count; ++i) {
      if (operations[i].stats == 0) continue;
      if (!MakeRoom()) return false;
      static const TimedOperation* same[kMaxOperationsPerBatch];
      uint32_t count = 0;
      for (uint32_t j = i; j < operation_count; ++j) {
        if (operations[j].stats != 0 && operations[j].thread == operations[i].thread) same[count++] = &operations[j];
      }
      EncodeDeviceOperations(same, count, &out);
      for (uint32_t j = 0; j < count; ++j) const_cast<TimedOperation*>(same[j])->stats = 0;
    }
    const bool more = operation_count == kMaxOperationsPerBatch;
    operation_count = 0;
    if (!more) break;
  }
  return true;
}

}  // namespace ompprof::collect
