#include "profiler/analyze/account/devices.h"

#include <algorithm>
#include <map>
#include <utility>

namespace ompprof::analyze {

std::vector<DeviceSummary> Devices(const View& view) {
  std::map<std::pair<uint32_t, uint32_t>, DeviceSummary> found;
  for (const ViewDevice& device : view.devices) found[{device.process, device.id}].type = device.type;
  for (const DeviceWorkTotal& work : view.device_work) {
    if (work.device == 0) continue;
    DeviceSummary& device = found[{work.process, work.device}];
    if (work.work == DeviceWork::kKernel) {
      device.busy_ns += work.KernelNs();
      device.launches += work.count;
    }
    if (IsCopy(work.work)) {
      device.copy_ns += work.host_ns;
      device.copies += work.count;
    }
    device.waited_ns += work.waited_ns;
  }
  std::vector<DeviceSummary> devices;
  for (auto& [key, device] : found) {
    device.process = key.first;
    device.id = key.second;
    devices.push_back(std::move(device));
  }
  return devices;
}

std::vector<TargetConstruct> TargetConstructs(const View& view) {
  std::map<std::pair<FunctionId, uint32_t>, TargetConstruct> found;
  for (const DeviceWorkTotal& work : view.device_work) {
    TargetConstruct& target = found[{work.construct, work.device}];
    target.construct = work.construct;
    target.device = work.device;
    target.waited_ns += work.waited_ns;
    if (work.work == DeviceWork::kKernel) {
      target.launches += work.count;
      target.kernel_ns += work.KernelNs();
    } else if (IsCopy(work.work)) {
      target.copies += work.count;
      target.copy_ns += work.host_ns;
      target.bytes += work.bytes;
    } else if (IsConstruct(work.work)) {
      target.executions += work.count;
      target.elapsed_ns += work.host_ns;
      target.longest_ns = std::max(target.longest_ns, work.longest_ns);
    }
  }
  std::vector<TargetConstruct> targets;
  for (const auto& [key, target] : found) {
    if (target.executions != 0 || target.launches != 0) targets.push_back(target);
  }
  std::stable_sort(targets.begin(), targets.end(),
                   [](const TargetConstruct& a, const TargetConstruct& b) { return a.elapsed_ns > b.elapsed_ns; });
  return targets;
}

uint64_t RegionsOnTheHost(const View& view) {
  uint64_t count = 0;
  for (const DeviceWorkTotal& work : view.device_work) {
    if (work.device == 0 && work.work == DeviceWork::kTarget) count += work.count;
  }
  return count;
}

}  // namespace ompprof::analyze
