#include "profiler/collect/devices/device_events.h"

#include <initializer_list>

#include "profiler/collect/arch/floating_point.h"
#include "profiler/collect/base/os.h"
#include "profiler/collect/blame/wait_intervals.h"
#include "profiler/collect/blame/wait_rows.h"
#include "profiler/collect/devices/device_table.h"
#include "profiler/collect/devices/device_timeline.h"
#include "profiler/collect/devices/device_trace.h"
#include "profiler/collect/devices/open_constructs.h"
#include "profiler/collect/paths/path_here.h"
#include "profiler/collect/quirks/libomptarget.h"
#include "profiler/collect/tasks/current_task.h"
#include "profiler/collect/tasks/region_stats.h"
#include "proto/callpath_profile_fields.h"
#include "proto/ompt_state.h"

namespace ompprof::collect {
namespace {

// Shorter copies end before the thread could fall asleep.
constexpr size_t kLongCopyBytes = 64 << 10;

// A reading of the CPU clock takes half a microsecond, and an operation needs two. Of launches and copies shorter than
// this time, one in eight is read, and stands for the others.
constexpr uint64_t kShortNs = 100000;

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

// What stands for the region in keys. The path that begins a region is known late: when the thread that began it is
// sampled, or at its end. Until then, each instance is a key of its own. So from the second instance on, the path is
// taken at the begin.
uint64_t SpliceKey(RegionRef ref) {
  constexpr int kMostNesting = 16;
  uint64_t key = 0;
  for (int depth = 0; ref != 0 && depth < kMostNesting; ++depth) {
    const RegionRecord* region = IsCurrent(ref) ? RegionOf(ref) : nullptr;
    const uint64_t context = region != nullptr ? region->context.load(std::memory_order_acquire) : 0;
    const uint64_t part = context != 0 ? context ^ region->codeptr_ra << 8 : ref;
    key = (key ^ part) * 0x9e3779b97f4a7c15ull;
    key ^= key >> 29;
    if (context == 0) {
      if (region != nullptr && region->counts != nullptr)
        region->counts->wants_path.store(true, std::memory_order_relaxed);
      break;
    }
    ref = region->splice;
  }
  return key;
}

DevicePath TakePath(ThreadState* thread) {
  if (!Collecting()) return {};
  TaskView view;
  const uint32_t node = PathHere(thread, &view);
  if (node == 0) return {};
  return {thread->paths.slot->tree.id(), node, view.splice, SpliceKey(view.splice)};
}

// NULL: the profile is paused, or there is no room.
DeviceCounts* CountsOf(uint32_t work, int device, uint64_t codeptr_ra, uint64_t region, const DevicePath& path) {
  if (!Collecting()) return nullptr;
  const uint32_t number = IsHost(device) ? DeviceKey::kHost : static_cast<uint32_t>(device);
  return device_table.Find({work, number, Epoch(), codeptr_ra, region, path});
}

DeviceCounts* CountsOf(const OpenConstruct& construct, uint32_t work, int device) {
  return CountsOf(work, device, construct.codeptr_ra, construct.region, construct.path);
}

// Whether the operation's wait is measured. An operation is expected to take as long as the one before it. The
// operations between two measured ones are no fixed number, so that a program's own rhythm does not decide.
bool IsMeasured(const DeviceCounts* counts) {
  constexpr uint64_t kFirst = 8;
  if (counts == nullptr) return false;
  const uint64_t number = counts->count.load(std::memory_order_relaxed);
  return number < kFirst || counts->last_ns.load(std::memory_order_relaxed) >= kShortNs ||
         (number * 0x9e3779b97f4a7c15ull) >> 61 == 0;
}

void ShowOperation(const ThreadState* thread, const DeviceCounts* counts, uint64_t since, uint64_t ns, uint64_t bytes) {
  if (session.config.timeline)
    device_timeline.Add({thread->identity.id, device_table.IndexOf(counts) + 1, since, ns, bytes});
}

// The wait becomes a wait of the thread, at the construct. It ends now.
void HasWaited(ThreadState* thread, const DeviceCounts* counts, uint64_t waited, uint64_t now) {
  if (waited == 0 || !Collecting() || !WithWaits()) return;
  const OwnFloatingPoint floating_point;
  thread->waiting.waited_ns += waited;
  WaitedFrom(thread, OmptState::kWaitTarget, now - waited, now);
  const bool with_path = waited >= PathThresholdNs() && PushRow(thread, kWaited, OmptState::kWaitTarget, 0, waited);
  AddWait(thread, {OmptState::kWaitTarget, Epoch(), counts->key.codeptr_ra, RegionHere(thread), 0, 0}, waited,
          with_path ? waited : 0);
}

// The time since the last operation of a construct that has queued a kernel: the runtime waits for the kernel.
void WaitsForQueued(ThreadState* thread) {
  ThreadDevices& devices = thread->devices;
  DeviceCounts* counts = devices.queued;
  if (counts == nullptr) return;
  const uint64_t now = NowFor(thread);
  const uint64_t waited = now > devices.queued_until_ns ? now - devices.queued_until_ns : 0;
  const uint64_t since = devices.queued_since_ns;
  devices.queued_since_ns = 0;
  if (since != 0) {
    counts->Add(0, now - since, waited);
    ShowOperation(thread, counts, since, now - since, 0);
  } else {
    counts->AddWait(waited);
  }
  HasWaited(thread, counts, waited, now);
}

void OperationBegins(ThreadState* thread, DeviceCounts* counts, DeviceWaits waits) {
  WaitsForQueued(thread);
  thread->devices.counts = counts;
  thread->devices.waits = waits;
  thread->devices.waited_before_ns = thread->waiting.waited_ns;
  thread->devices.operation_cpu_ns = waits == DeviceWaits::kAsleep && IsMeasured(counts) ? ThreadCpuNs() : 0;
  thread->devices.operation_since_ns = NowFor(thread);
}

// The part of `ns` in which the thread waited for the device, and not for another reason: a device may be the host's
// processor, and execute a kernel, with its barriers, on the thread that launches it.
uint64_t WaitedOf(const ThreadState* thread, uint64_t ns) {
  const ThreadDevices& devices = thread->devices;
  DeviceCounts* counts = devices.counts;
  if (devices.waits == DeviceWaits::kNone) return 0;
  if (devices.waits == DeviceWaits::kThroughout) {
    const uint64_t otherwise = thread->waiting.waited_ns - devices.waited_before_ns;
    return ns > otherwise ? ns - otherwise : 0;
  }
  if (devices.operation_cpu_ns != 0) {
    const uint64_t otherwise =
        ThreadCpuNs() - devices.operation_cpu_ns + thread->waiting.waited_ns - devices.waited_before_ns;
    const uint64_t waited = ns > otherwise ? ns - otherwise : 0;
    if (ns < kShortNs) {
      counts->timed_waited_ns.fetch_add(waited, std::memory_order_relaxed);
      counts->timed_ns.fetch_add(ns, std::memory_order_relaxed);
    }
    return waited;
  }
  const uint64_t of = counts->timed_ns.load(std::memory_order_relaxed);
  const uint64_t timed = counts->timed_waited_ns.load(std::memory_order_relaxed);
  if (of == 0) return 0;
  return static_cast<uint64_t>(static_cast<unsigned __int128>(ns) * (timed < of ? timed : of) / of);
}

void OperationEnds(ThreadState* thread, uint64_t bytes) {
  ThreadDevices& devices = thread->devices;
  const uint64_t since = devices.operation_since_ns;
  devices.operation_since_ns = 0;
  DeviceCounts* counts = devices.counts;
  if (since == 0 || counts == nullptr) return;
  const uint64_t now = NowFor(thread);
  devices.queued_until_ns = now;
  if (devices.waits == DeviceWaits::kAfterwards) {
    devices.queued = counts;
    devices.queued_since_ns = since;
    return;
  }
  const uint64_t ns = now > since ? now - since : 0;
  const uint64_t waited = WaitedOf(thread, ns);
  counts->Add(bytes, ns, waited);
  ShowOperation(thread, counts, since, ns, bytes);
  HasWaited(thread, counts, waited, now);
}

// The construct that the creation of its target task has opened; NULL: there is none.
OpenConstruct* CreatedFor(const TargetConstruct& begun) {
  // LLVM's runtime gives the target task as the task that encounters the construct. Its `target_task` is unused.
  for (const ompt_data_t* task : {begun.target_task, begun.encountering_task}) {
    OpenConstruct* construct = task != nullptr ? open_constructs.Find(task) : nullptr;
    if (construct != nullptr && !construct->begun.load(std::memory_order_relaxed)) return construct;
  }
  return nullptr;
}

// A target task with nowait may run after its launch has returned.
void MayRunOn(OpenConstruct* construct, bool nowait) {
  construct->nowait = nowait;
  if (nowait) LaunchIsOpen(construct->device, 1);
}

bool IsCopy(uint32_t work) { return work == fields::kDeviceToDevice || work == fields::kDeviceFromDevice; }

DeviceWaits WaitsOfOperation(uint32_t work, size_t bytes, int device) {
  if (!IsCopy(work)) return DeviceWaits::kNone;
  const auto launches = IsHost(device) ? libomptarget::Launches::kOnHost : known_devices[device].launches;
  // A copy behind a queued kernel waits for the kernel.
  if (bytes < kLongCopyBytes && launches != libomptarget::Launches::kReturnEarly) return DeviceWaits::kNone;
  return launches == libomptarget::Launches::kOnHost ? DeviceWaits::kAsleep : DeviceWaits::kThroughout;
}

// The host does not wait for itself. A construct with nowait is waited for elsewhere.
DeviceWaits WaitsOfLaunch(const OpenConstruct* construct) {
  if (construct == nullptr || IsHost(construct->device)) return DeviceWaits::kNone;
  const libomptarget::Launches launches = known_devices[construct->device].launches;
  if (construct->nowait || launches == libomptarget::Launches::kOnHost) return DeviceWaits::kAsleep;
  return launches == libomptarget::Launches::kWait ? DeviceWaits::kThroughout : DeviceWaits::kAfterwards;
}

}  // namespace

void DeviceIsThere(int device, const char* type, ompt_device_t* handle, ompt_function_lookup_t lookup) {
  if (device < 0 || static_cast<uint32_t>(device) >= KnownDevice::kMost) return;
  KnownDevice& known = known_devices[device];
  if (known.known.load(std::memory_order_relaxed)) return;
  libomptarget::CopyDeviceType(type, known.type, sizeof known.type);
  known.launches = libomptarget::LaunchesOf(known.type);
  known.known.store(true, std::memory_order_release);
  StartTrace(device, handle, lookup);
}

void TargetTaskIsCreated(ThreadState* thread, const ompt_data_t* task, int flags) {
  OpenConstruct* construct = open_constructs.Take(task);
  if (construct == nullptr) return;
  construct->region = RegionHere(thread);
  construct->path = TakePath(thread);
  construct->deferred = (flags & ompt_task_undeferred) == 0;
  const OpenTask* creator = CurrentTask(thread);
  construct->creators_region = creator != nullptr ? creator->region : 0;
}

void TargetBegins(ThreadState* thread, const TargetConstruct& begun, ompt_data_t* target) {
  if (target == nullptr) return;
  target->value = 0;
  OpenConstruct* construct = CreatedFor(begun);
  if (construct == nullptr) {
    construct = open_constructs.Take(begun.target_task != nullptr ? begun.target_task : target);
    if (construct == nullptr) return;
    construct->region = RegionHere(thread);
    construct->path = TakePath(thread);
  }
  construct->begun.store(true, std::memory_order_relaxed);
  construct->codeptr_ra = begun.codeptr_ra;
  construct->work = WorkOf(begun.kind);
  construct->device = begun.device;
  MayRunOn(construct, begun.kind == ompt_target_nowait);
  thread->devices.queued = nullptr;
  if (!construct->nowait) thread->devices.EnterConstruct(CurrentTask(thread));
  target->value = open_constructs.NumberOf(construct);
  construct->since_ns = NowFor(thread);
  if (construct->deferred && !IsHost(construct->device) && WithWaits())
    DeviceBegins(construct->creators_region, construct->since_ns, &construct->debt);
}

void TargetEnds(ThreadState* thread, const ompt_data_t* target) {
  OpenConstruct* construct = target != nullptr ? open_constructs.At(target->value) : nullptr;
  if (construct == nullptr) return;
  if (!construct->nowait) {
    WaitsForQueued(thread);
    thread->devices.queued = nullptr;
  }
  const uint64_t now = NowFor(thread);
  const uint64_t charged_ns = DeviceEnds(&construct->debt, now);
  if (DeviceCounts* counts = CountsOf(*construct, construct->work, construct->device)) {
    counts->charged_ns.fetch_add(charged_ns, std::memory_order_relaxed);
    counts->Add(0, now > construct->since_ns ? now - construct->since_ns : 0, 0);
  }
  if (construct->nowait)
    LaunchIsOpen(construct->device, -1);
  else
    thread->devices.LeaveConstruct();
  OpenConstructs::Free(construct);
}

// The place of an operation outside of target constructs is its own.
void DataOperationBegins(ThreadState* thread, const DataOperation& operation, ompt_id_t* operation_id) {
  const uint32_t work = WorkOf(operation.type);
  DeviceCounts* counts = nullptr;
  const int device = DeviceOf(operation, work);
  if (work != fields::kDeviceNone) {
    const OpenConstruct* construct =
        operation.target != nullptr ? open_constructs.At(operation.target->value) : nullptr;
    counts = construct != nullptr ? CountsOf(*construct, work, device)
                                  : CountsOf(work, device, operation.codeptr_ra, RegionHere(thread), TakePath(thread));
    if (IsCopy(work) && operation_id != nullptr && CopiesAreTraced(device)) *operation_id = OperationId(counts);
  }
  OperationBegins(thread, counts, WaitsOfOperation(work, operation.bytes, device));
}

void DataOperationEnds(ThreadState* thread, const DataOperation& operation) { OperationEnds(thread, operation.bytes); }

void LaunchBegins(ThreadState* thread, const ompt_data_t* target, ompt_id_t* launch_id) {
  const OpenConstruct* construct = target != nullptr ? open_constructs.At(target->value) : nullptr;
  LaunchIsOpen(construct != nullptr ? construct->device : -1, 1);
  DeviceCounts* counts =
      construct != nullptr ? CountsOf(*construct, fields::kDeviceLaunch, construct->device) : nullptr;
  if (counts != nullptr && launch_id != nullptr) *launch_id = OperationId(counts);
  OperationBegins(thread, counts, WaitsOfLaunch(construct));
}

void LaunchEnds(ThreadState* thread, const ompt_data_t* target) {
  const OpenConstruct* construct = target != nullptr ? open_constructs.At(target->value) : nullptr;
  LaunchIsOpen(construct != nullptr ? construct->device : -1, -1);
  OperationEnds(thread, 0);
}

}  // namespace ompprof::collect
