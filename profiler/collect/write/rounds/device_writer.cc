#include "profiler/collect/write/rounds/device_writer.h"

#include "profiler/collect/devices/device_table.h"

namespace ompprof::collect {

// The devices that have appeared, and the sums for each device and construct.
bool DeviceWriter::Write() {
  for (uint32_t number = 0; number < KnownDevice::kMost; ++number) {
    KnownDevice& device = known_devices[number];
    if (device.written || !device.known.load(std::memory_order_acquire)) continue;
    if (!file_->MakeRoom()) return false;
    EncodeDevice(device, number + 1, &file_->out);
    device.written = true;
  }
  return WriteStats() && WriteOperations();
}

// A path's nodes are in the file before the path. The region that continues the path is resolved once, because its
// record serves other regions later.
bool DeviceWriter::WriteStats() {
  for (uint32_t i = 0; i < DeviceTable::size(); ++i) {
    if (!device_table.IsTaken(i)) continue;
    DeviceCounts* counts = device_table.entry(i);
    if (!counts->has_key.load(std::memory_order_acquire)) continue;
    if (!counts->has_splice_id) {
      if (counts->key.path.node != 0 && !trees_->Write()) return false;
      counts->splice_id = contexts_->IdOf(counts->key.path.splice);
      counts->has_splice_id = true;
    }
    const uint64_t now = counts->count.load(std::memory_order_acquire) + counts->traced.load(std::memory_order_acquire);
    if (now == counts->written) continue;
    if (!file_->MakeRoom()) return false;
    modules_->At(counts->key.codeptr_ra);
    EncodeDeviceStats(*counts, i + 1, counts->splice_id, &file_->out);
    counts->written = now;
  }
  return true;
}

// A record has the operations of one thread. A round takes no more than the timeline holds, however fast the program
// adds more.
bool DeviceWriter::WriteOperations() {
  for (uint32_t batches = 0; batches <= DeviceTimeline::kPlaces / kMaxOperationsPerBatch; ++batches) {
    while (operation_count_ < kMaxOperationsPerBatch && device_timeline.Take(&operations_[operation_count_]))
      ++operation_count_;
    for (uint32_t i = 0; i < operation_count_; ++i) {
      if (operations_[i].stats == 0) continue;
      if (!file_->MakeRoom()) return false;
      static const TimedOperation* same[kMaxOperationsPerBatch];
      uint32_t count = 0;
      for (uint32_t j = i; j < operation_count_; ++j) {
        if (operations_[j].stats != 0 && operations_[j].thread == operations_[i].thread)
          same[count++] = &operations_[j];
      }
      EncodeDeviceOperations(same, count, &file_->out);
      for (uint32_t j = 0; j < count; ++j) const_cast<TimedOperation*>(same[j])->stats = 0;
    }
    const bool more = operation_count_ == kMaxOperationsPerBatch;
    operation_count_ = 0;
    if (!more) break;
  }
  return true;
}

}  // namespace ompprof::collect
