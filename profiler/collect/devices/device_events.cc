#include "profiler/collect/devices/device_events.h"

#include <string.h>

#include "profiler/collect/arch/floating_point.h"
#include "profiler/collect/base/os.h"
#include "profiler/collect/blame/wait_intervals.h"
#include "profiler/collect/blame/wait_rows.h"
#include "profiler/collect/devices/device_table.h"
#include "profiler/collect/devices/device_trace.h"
#include "profiler/collect/tasks/current_task.h"
#include "proto/callpath_profile_fields.h"
#include "proto/ompt_state.h"

namespace ompprof::collect {
namespace {

// Shorter copies end before the thread could fall asleep.
constexpr size_t kLongCopyBytes = 64 << 10;

uint32_t WorkOf(ompt_target_t kind) {
  switch (kind) {
    case ompt_target_enter_data:
    case ompt_target_enter_data_nowait:
      return fields::kDeviceEnterData;
    case ompt_target_exit_data:
    case ompt_target_exit_data_nowait:
      return fields::kDeviceExitData;
    case ompt_target_update:
    case ompt_target_update_nowait:
      return fields::kDeviceUpdate;
    default:
      return fields::kDeviceTarget;
  }
}

// kDeviceNone: an operation that takes no time, such as the association of addresses.
uint32_t WorkOf(ompt_target_data_op_t type) {
  switch (type) {
    case ompt_target_data_alloc:
    case ompt_target_data_alloc_async:
      return fields::kDeviceAlloc;
    case ompt_target_data_transfer_to_device:
    case ompt_target_data_transfer_to_device_async:
      return fields::kDeviceToDevice;
    case ompt_target_data_transfer_from_device:
    case ompt_target_data_transfer_from_device_async:
      return fields::kDeviceFromDevice;
    case ompt_target_data_delete:
    case ompt_target_data_delete_async:
      return fields::kDeviceFree;
    default:
      return fields::kDeviceNone;
  }
}

// The device of an operation: memory is allocated at the destination, and freed at the source.
int DeviceOf(const DataOperation& operation, uint32_t work) {
  return work == fields::kDeviceFromDevice || work == fields::kDeviceFree ? operation.source_device
                                                                          : operation.destination_device;
}

// The runtime executes a region itself if the program has no device, or if the region's code is not there for it. Such
// a region has a device's number, but no device was initialized.
bool IsHost(int device) {
  return device < 0 || static_cast<uint32_t>(device) >= KnownDevice::kMost ||
         !known_devices[device].known.load(std::memory_order_acquire);
}

uint64_t RegionHere(ThreadState* thread) {
  const OpenTask* task = CurrentTask(thread);
  const RegionRecord* region = task != nullptr ? LiveRegion(task->region) : nullptr;
  return region != nullptr ? region->codeptr_ra : 0;
}

// NULL: the profile is paused, or there is no room.
DeviceCounts* CountsOf(ThreadState* thread, uint32_t work, int device, uint64_t codeptr_ra) {
  if (!Collecting()) return nullptr;
  const uint32_t number = IsHost(device) ? DeviceKey::kHost : static_cast<uint32_t>(device);
  return device_table.Find({work, number, Epoch(), codeptr_ra, RegionHere(thread)});
}

void Count(ThreadState* thread, uint32_t work, int device, uint64_t codeptr_ra, uint64_t bytes, uint64_t ns,
           uint64_t waited_ns) {
  if (DeviceCounts* counts = CountsOf(thread, work, device, codeptr_ra)) counts->Add(bytes, ns, waited_ns);
}

// `may_sleep`: the thread's CPU clock tells how much of the time it sleeps. Reading the clock takes a system call.
void OperationBegins(ThreadState* thread, bool may_sleep) {
  thread->devices.operation_cpu_ns = may_sleep ? ThreadCpuNs() : 0;
  thread->devices.operation_since_ns = NowFor(thread);
}

struct Elapsed {
  uint64_t ns;
  uint64_t waited_ns;
};

// The thread has waited for the device for as long as it did not run. The wait becomes a wait of the thread, at the
// construct.
Elapsed OperationEnds(ThreadState* thread, uint64_t codeptr_ra) {
  const uint64_t since = thread->devices.operation_since_ns;
  thread->devices.operation_since_ns = 0;
  if (since == 0) return {0, 0};
  const uint64_t now = NowFor(thread);
  const uint64_t ns = now > since ? now - since : 0;
  const uint64_t ran = thread->devices.operation_cpu_ns != 0 ? ThreadCpuNs() - thread->devices.operation_cpu_ns : ns;
  const uint64_t waited = ns > ran ? ns - ran : 0;
  if (waited == 0 || !Collecting() || !WithWaits()) return {ns, waited};
  const OwnFloatingPoint floating_point;
  thread->waiting.waited_ns += waited;
  WaitedFrom(thread, OmptState::kWaitTarget, now - waited, now);
  const bool with_path = waited >= PathThresholdNs() && PushRow(thread, kWaited, OmptState::kWaitTarget, 0, waited);
  AddWait(thread, {OmptState::kWaitTarget, Epoch(), codeptr_ra, RegionHere(thread), 0, 0}, waited,
          with_path ? waited : 0);
  return {ns, waited};
}

// The place of an operation outside target constructs is its own.
uint64_t PlaceOf(ThreadState* thread, uint64_t codeptr_ra) {
  const ThreadDevices::Construct* construct = thread->devices.Innermost();
  return construct != nullptr ? construct->codeptr_ra : codeptr_ra;
}

}  // namespace

void DeviceIsThere(int device, const char* type, ompt_device_t* handle, ompt_function_lookup_t lookup) {
  if (device < 0 || static_cast<uint32_t>(device) >= KnownDevice::kMost) return;
  KnownDevice& known = known_devices[device];
  if (known.known.load(std::memory_order_relaxed)) return;
  strncpy(known.type, type != nullptr ? type : "", sizeof known.type - 1);
  known.known.store(true, std::memory_order_release);
  StartTrace(device, handle, lookup);
}

void TargetBegins(ThreadState* thread, ompt_target_t kind, int device, uint64_t codeptr_ra) {
  ThreadDevices& devices = thread->devices;
  if (kind == ompt_target_nowait) LaunchesMayRunOn();
  if (devices.depth < ThreadDevices::kMost)
    devices.open[devices.depth] = {NowFor(thread), codeptr_ra, WorkOf(kind), static_cast<uint32_t>(device)};
  ++devices.depth;
}

void TargetEnds(ThreadState* thread) {
  ThreadDevices& devices = thread->devices;
  if (devices.depth == 0) return;
  if (const ThreadDevices::Construct* construct = devices.Innermost()) {
    const uint64_t now = NowFor(thread);
    Count(thread, construct->work, static_cast<int>(construct->device), construct->codeptr_ra, 0,
          now > construct->since_ns ? now - construct->since_ns : 0, 0);
  }
  --devices.depth;
}

void DataOperationBegins(ThreadState* thread, const DataOperation& operation) {
  OperationBegins(thread, operation.bytes >= kLongCopyBytes);
}

void DataOperationEnds(ThreadState* thread, const DataOperation& operation) {
  const uint64_t place = PlaceOf(thread, operation.codeptr_ra);
  const Elapsed elapsed = OperationEnds(thread, place);
  const uint32_t work = WorkOf(operation.type);
  if (work == fields::kDeviceNone) return;
  Count(thread, work, DeviceOf(operation, work), place, operation.bytes, elapsed.ns, elapsed.waited_ns);
}

// The host does not wait for itself.
void LaunchBegins(ThreadState* thread, ompt_id_t* launch_id) {
  LaunchIsOpen(1);
  const ThreadDevices::Construct* construct = thread->devices.Innermost();
  if (construct != nullptr && launch_id != nullptr)
    *launch_id =
        LaunchId(CountsOf(thread, fields::kDeviceLaunch, static_cast<int>(construct->device), construct->codeptr_ra));
  OperationBegins(thread, construct != nullptr && !IsHost(static_cast<int>(construct->device)));
}

void LaunchEnds(ThreadState* thread) {
  LaunchIsOpen(-1);
  const ThreadDevices::Construct* construct = thread->devices.Innermost();
  const uint64_t place = construct != nullptr ? construct->codeptr_ra : 0;
  const Elapsed elapsed = OperationEnds(thread, place);
  if (construct != nullptr)
    Count(thread, fields::kDeviceLaunch, static_cast<int>(construct->device), place, 0, elapsed.ns, elapsed.waited_ns);
}

}  // namespace ompprof::collect
