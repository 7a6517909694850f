#include "profiler/analyze/devices.h"

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

uint64_t RegionsOnTheHost(const View& view) {
  uint64_t count = 0;
  for (const DeviceWorkTotal& work : view.device_work) {
    if (work.device == 0 && work.work == DeviceWork::kTarget) count += work.count;
  }
  return count;
}

}  // namespace ompprof::analyze
