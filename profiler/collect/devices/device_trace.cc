#include "profiler/collect/devices/device_trace.h"

#include <stddef.h>
#include <stdint.h>

#include <atomic>

#include "profiler/collect/arch/floating_point.h"
#include "profiler/collect/base/os.h"
#include "profiler/collect/base/seal.h"
#include "profiler/collect/devices/device_timeline.h"
#include "profiler/collect/devices/open_constructs.h"
#include "profiler/collect/thread/session.h"

namespace ompprof::collect {
namespace {

// A device's functions.
struct Trace {
  ompt_device_t* handle;
  ompt_flush_trace_t flush;
  ompt_advance_buffer_cursor_t advance;
  ompt_get_record_type_t record_type;
  ompt_get_record_ompt_t record;
  ompt_translate_time_t translate;
  int64_t host_ns_behind;  // CLOCK_MONOTONIC less the clock of `translate`
  bool has_copies;
  std::atomic<bool> started;
};
Trace traces[KnownDevice::kMost];

// By device; the last: the device is not known.
std::atomic<int> open_launches[KnownDevice::kMost + 1];

std::atomic<int>& OpenLaunches(int device) {
  return open_launches[device >= 0 && static_cast<uint32_t>(device) < KnownDevice::kMost ? device : KnownDevice::kMost];
}

// The memory for records. A device keeps a buffer until it has filled it.
struct Buffer {
  static constexpr size_t kBytes = 64 << 10;
  std::atomic<bool> taken;
  void* memory;
};
constexpr uint32_t kBuffers = 16;
Buffer buffers[kBuffers];

template <typename Function>
void Find(ompt_function_lookup_t lookup, const char* name, Function* out) {
  *out = reinterpret_cast<Function>(lookup(name));
}

// Without a free buffer, the device loses its records.
void OnRequest(int, ompt_buffer_t** buffer, size_t* bytes) {
  *buffer = nullptr;
  *bytes = 0;
  for (Buffer& each : buffers) {
    if (each.taken.load(std::memory_order_relaxed) || each.taken.exchange(true, std::memory_order_acquire)) continue;
    if (each.memory == nullptr) each.memory = MapFixed(Buffer::kBytes);
    if (each.memory == nullptr) return each.taken.store(false, std::memory_order_release);
    *buffer = each.memory;
    *bytes = Buffer::kBytes;
    return;
  }
}

void GiveBack(const ompt_buffer_t* buffer) {
  for (Buffer& each : buffers) {
    if (each.memory == buffer) each.taken.store(false, std::memory_order_release);
  }
}

// Between two of the device's times, in nanoseconds. Only the difference is translated exactly enough.
uint64_t NsBetween(const Trace& trace, ompt_device_time_t begin, ompt_device_time_t end) {
  const double seconds = trace.translate(trace.handle, end) - trace.translate(trace.handle, begin);
  return seconds > 0 ? static_cast<uint64_t>(seconds * 1e9 + 0.5) : 0;
}

int64_t HostNs(const Trace& trace, ompt_device_time_t time) {
  return static_cast<int64_t>(trace.translate(trace.handle, time) * 1e9) + trace.host_ns_behind;
}

// The text translates to the time of omp_get_wtime, whose clock it leaves to the runtime. GNU's is CLOCK_MONOTONIC.
int64_t HostNsBehind(const Trace& trace, ompt_function_lookup_t lookup) {
  constexpr int64_t kSameClockNs = 1000000;
  ompt_get_device_time_t get_time;
  Find(lookup, "ompt_get_device_time", &get_time);
  if (get_time == nullptr) return 0;
  const auto now = static_cast<int64_t>(MonotonicNs());
  const int64_t behind = now - HostNs(trace, get_time(trace.handle));
  return behind > -kSameClockNs && behind < kSameClockNs ? 0 : behind;
}

DeviceCounts* CountsOf(ompt_id_t operation) {
  return operation == 0 || operation > DeviceTable::size() ? nullptr
                                                           : device_table.entry(static_cast<uint32_t>(operation - 1));
}

void AddKernel(const Trace& trace, ompt_device_time_t begin, const ompt_record_target_kernel_t& kernel) {
  DeviceCounts* counts = CountsOf(kernel.host_op_id);
  if (counts == nullptr) return;
  const uint64_t ns = NsBetween(trace, begin, kernel.end_time);
  counts->AddTraced(ns);
  if (!session.config.timeline) return;
  const int64_t begin_ns = HostNs(trace, begin);
  device_timeline.Add(
      {0, static_cast<uint32_t>(kernel.host_op_id), static_cast<uint64_t>(begin_ns > 0 ? begin_ns : 0), ns, 0});
}

void AddRecord(const Trace& trace, const ompt_record_ompt_t& record) {
  switch (record.type) {
    case ompt_callback_target_submit:
    case ompt_callback_target_submit_emi:
      return AddKernel(trace, record.time, record.record.target_kernel);
    case ompt_callback_target_data_op:
    case ompt_callback_target_data_op_emi:
      if (DeviceCounts* counts = CountsOf(record.record.target_data_op.host_op_id))
        counts->AddTraced(NsBetween(trace, record.time, record.record.target_data_op.end_time));
      return;
    default:
      return;
  }
}

bool IsTraced(ompt_set_result_t result) {
  return result == ompt_set_always || result == ompt_set_sometimes || result == ompt_set_sometimes_paired;
}

void Flush(uint32_t device) {
  Trace& trace = traces[device];
  if (trace.started.load(std::memory_order_acquire) && OpenLaunches(-1).load(std::memory_order_relaxed) == 0 &&
      open_launches[device].load(std::memory_order_relaxed) == 0)
    trace.flush(trace.handle);
}

// A buffer has no more records than bytes. A runtime may name a device that has no trace.
void OnComplete(int device, ompt_buffer_t* buffer, size_t bytes, ompt_buffer_cursor_t begin, int owned) {
  const OwnFloatingPoint floating_point;
  if (device < 0 || static_cast<uint32_t>(device) >= KnownDevice::kMost || traces[device].advance == nullptr) return;
  Trace& trace = traces[device];
  ompt_buffer_cursor_t at = begin;
  bool more = bytes != 0 && buffer != nullptr && !seal.process.load(std::memory_order_relaxed);
  for (size_t records = 0; more && records < bytes; ++records) {
    if (trace.record_type(buffer, at) == ompt_record_ompt) {
      if (const ompt_record_ompt_t* record = trace.record(buffer, at)) AddRecord(trace, *record);
    }
    more = trace.advance(trace.handle, buffer, bytes, at, &at) != 0;
  }
  if (owned != 0) GiveBack(buffer);
}

}  // namespace

void StartTrace(int device, ompt_device_t* handle, ompt_function_lookup_t lookup) {
  if (lookup == nullptr || device < 0 || static_cast<uint32_t>(device) >= KnownDevice::kMost) return;
  Trace& trace = traces[device];
  if (trace.started.load(std::memory_order_relaxed)) return;
  ompt_set_trace_ompt_t set_trace;
  ompt_start_trace_t start;
  Find(lookup, "ompt_set_trace_ompt", &set_trace);
  Find(lookup, "ompt_start_trace", &start);
  Find(lookup, "ompt_flush_trace", &trace.flush);
  Find(lookup, "ompt_advance_buffer_cursor", &trace.advance);
  Find(lookup, "ompt_get_record_type", &trace.record_type);
  Find(lookup, "ompt_get_record_ompt", &trace.record);
  Find(lookup, "ompt_translate_time", &trace.translate);
  if (set_trace == nullptr || start == nullptr || trace.flush == nullptr || trace.advance == nullptr ||
      trace.record_type == nullptr || trace.record == nullptr || trace.translate == nullptr)
    return;
  trace.handle = handle;
  if (!IsTraced(set_trace(handle, 1, ompt_callback_target_submit))) return;
  // The trace of copies is complete, or it is of no use.
  trace.has_copies = set_trace(handle, 1, ompt_callback_target_data_op) == ompt_set_always;
  trace.host_ns_behind = HostNsBehind(trace, lookup);
  if (start(handle, OnRequest, OnComplete) != 0) trace.started.store(true, std::memory_order_release);
}

ompt_id_t OperationId(const DeviceCounts* counts) {
  return counts != nullptr ? static_cast<ompt_id_t>(device_table.IndexOf(counts)) + 1 : 0;
}

bool CopiesAreTraced(int device) {
  return device >= 0 && static_cast<uint32_t>(device) < KnownDevice::kMost &&
         traces[device].started.load(std::memory_order_acquire) && traces[device].has_copies;
}

void LaunchIsOpen(int device, int change) { OpenLaunches(device).fetch_add(change, std::memory_order_relaxed); }

void FlushTraces() {
  for (uint32_t device = 0; device < KnownDevice::kMost; ++device) Flush(device);
}

void EndTrace(int device) {
  if (device < 0 || static_cast<uint32_t>(device) >= KnownDevice::kMost) return;
  Flush(static_cast<uint32_t>(device));
  traces[device].started.store(false, std::memory_order_relaxed);
}

void ForgetTraces() {
  for (std::atomic<int>& launches : open_launches) launches.store(0, std::memory_order_relaxed);
  open_constructs.Forget();
  for (Trace& trace : traces) trace.started.store(false, std::memory_order_relaxed);
  for (Buffer& buffer : buffers) buffer.taken.store(false, std::memory_order_relaxed);
}

}  // namespace ompprof::collect
