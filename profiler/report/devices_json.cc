#include "profiler/report/devices_json.h"

#include <algorithm>
#include <map>
#include <vector>

#include "profiler/analyze/account/devices.h"
#include "profiler/report/columns/device_columns.h"
#include "profiler/report/columns/rows_json.h"

namespace ompprof::report {
namespace {

bool IsOf(const analyze::DeviceWorkTotal& work, const analyze::DeviceSummary& device) {
  return work.process == device.process && work.device == device.id;
}

// The path without the construct at its end. A filter may have taken the construct away.
analyze::PathId CallersOf(const analyze::View& view, analyze::PathId path, analyze::FunctionId construct) {
  const analyze::Location& last = view.frames.location(view.paths.node(path).location);
  const bool is_construct = last.line_count == 1 && view.frames.line(last.first_line).function == construct;
  return is_construct ? view.paths.node(path).parent : path;
}

// The call paths that launched the kernels, without the construct itself, the longest time first.
void Paths(const analyze::View& view, uint32_t total, JsonWriter* json) {
  std::vector<analyze::DevicePathTotal> paths;
  for (const analyze::DevicePathTotal& path : view.device_paths) {
    if (path.total == total && path.path != analyze::kEmptyPath) paths.push_back(path);
  }
  std::stable_sort(paths.begin(), paths.end(),
                   [](const auto& a, const auto& b) { return a.KernelNs() > b.KernelNs(); });
  json->Key("paths");
  json->BeginArray();
  for (const analyze::DevicePathTotal& path : paths) {
    json->BeginObject();
    json->Key("callers");
    json->BeginArray();
    const analyze::PathId callers = CallersOf(view, path.path, view.device_work[total].construct);
    for (const analyze::LocationId id : view.paths.Locations(callers)) {
      const analyze::Location& location = view.frames.location(id);
      for (uint32_t i = location.line_count; i-- > 0;)
        json->String(view.frames.function(view.frames.line(location.first_line + i).function).name);
    }
    json->EndArray();
    json->Member("launches", path.count);
    json->Member("time_ns", path.KernelNs());
    json->EndObject();
  }
  json->EndArray();
}

void Kernels(const analyze::View& view, const analyze::DeviceSummary& device, JsonWriter* json) {
  json->Key("kernels");
  json->BeginArray();
  for (const analyze::DeviceWorkTotal& work : view.device_work) {
    if (!IsOf(work, device) || work.work != analyze::DeviceWork::kKernel) continue;
    const analyze::ViewFunction& construct = view.frames.function(work.construct);
    json->BeginObject();
    json->Member("function", construct.name);
    json->Member("file", construct.file);
    json->Member("line", construct.line);
    json->Member("launches", work.count);
    json->Member("time_ns", work.KernelNs());
    Paths(view, static_cast<uint32_t>(&work - view.device_work.data()), json);
    json->EndObject();
  }
  json->EndArray();
}

void Copies(const analyze::View& view, const analyze::DeviceSummary& device, JsonWriter* json) {
  std::map<analyze::DeviceWork, analyze::DeviceWorkTotal> sums;
  for (const analyze::DeviceWorkTotal& work : view.device_work) {
    if (!IsOf(work, device) || !analyze::IsCopy(work.work)) continue;
    analyze::DeviceWorkTotal& sum = sums[work.work];
    sum.count += work.count;
    sum.bytes += work.bytes;
    sum.host_ns += work.host_ns;
  }
  json->Key("copies");
  json->BeginArray();
  for (const auto& [work, sum] : sums) {
    json->BeginObject();
    json->Member("direction", work == analyze::DeviceWork::kToDevice ? "to_device" : "from_device");
    json->Member("count", sum.count);
    json->Member("bytes", sum.bytes);
    json->Member("time_ns", sum.host_ns);
    json->EndObject();
  }
  json->EndArray();
}

}  // namespace

void JsonDevices(const analyze::View& view, JsonWriter* json) {
  const std::vector<analyze::DeviceSummary> devices = analyze::Devices(view);
  if (devices.empty()) return;
  json->Key("devices");
  json->BeginArray();
  for (const analyze::DeviceSummary& device : devices) {
    json->BeginObject();
    json->Member("process", view.run.process(device.process).pid);
    json->Member("id", device.id - 1);
    json->Member("type", device.type);
    json->Member("busy_ns", device.busy_ns);
    json->Member("wait_ns", device.waited_ns);
    Kernels(view, device, json);
    Copies(view, device, json);
    json->Key("operations");
    json->BeginArray();
    for (const analyze::DeviceWorkTotal& work : view.device_work) {
      if (!IsOf(work, device)) continue;
      json->BeginObject();
      JsonMembers(DeviceColumns(), DeviceRow{view, work}, json);
      json->EndObject();
    }
    json->EndArray();
    json->EndObject();
  }
  json->EndArray();
}

}  // namespace ompprof::report
