#include "profiler/report/sections/devices.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "profiler/analyze/account/devices.h"
#include "profiler/report/basics/names_text.h"
#include "profiler/report/basics/style.h"
#include "profiler/report/basics/text_table.h"
#include "profiler/report/basics/units.h"
#include "profiler/report/columns/device_columns.h"
#include "profiler/report/columns/rows_json.h"
#include "profiler/report/columns/rows_text.h"

namespace ompprof::report {
namespace {

// "device 0 (reference): 1.20 s in 40 kernels, 3.40 s in copies; host threads waited 0.80 s"
std::string DeviceText(const analyze::DeviceSummary& device) {
  std::string text = "device " + std::to_string(device.id - 1);
  if (!device.type.empty()) text += " (" + Printable(device.type) + ")";
  return text + ": " + Duration(device.busy_ns) + " in " + Count(device.launches) + " kernels, " +
         Duration(device.copy_ns) + " in " + Count(device.copies) + " copies; host threads waited " +
         Duration(device.waited_ns) + " for it";
}

}  // namespace

std::string DevicesText(const analyze::View& view, const TextOptions& options, size_t limit) {
  const std::vector<analyze::DeviceSummary> devices = analyze::Devices(view);
  const uint64_t on_host = analyze::RegionsOnTheHost(view);
  if (devices.empty() && on_host == 0) return "";
  std::string text = Title(options.style,
                           "Devices, as the host measures them (target constructs contain their kernels "
                           "and copies; times are wall time, exact)");
  for (const analyze::DeviceSummary& device : devices) text += Sentence(options.style, DeviceText(device));
  if (on_host != 0)
    text += Sentence(options.style, Count(on_host) + (on_host == 1 ? " target region was" : " target regions were") +
                                        " executed by the host itself, on no device");
  std::vector<const analyze::DeviceWorkTotal*> rows;
  for (const analyze::DeviceWorkTotal& work : view.device_work) rows.push_back(&work);
  std::stable_sort(rows.begin(), rows.end(), [](const auto* a, const auto* b) { return a->host_ns > b->host_ns; });
  const size_t most = options.limit != 0 ? options.limit : limit;
  if (rows.size() > most) rows.resize(most);
  RowsText<DeviceRow> table(DeviceColumns(), &Column<DeviceRow>::text, WeighingOf(view));
  for (const analyze::DeviceWorkTotal* work : rows) table.Add({view, *work, &options});
  return text + table.Text(options.style);
}

namespace {

using Align = TextTable::Align;
using Fit = TextTable::Fit;

struct Row {
  uint32_t device;
  analyze::PathId path;
  uint64_t count = 0;
  uint64_t ns = 0;
  uint64_t waited_ns = 0;
  uint64_t bytes = 0;
};

// The same path in several processes is one row.
std::vector<Row> RowsOf(const analyze::View& view) {
  std::map<std::pair<uint32_t, analyze::PathId>, Row> rows;
  for (const analyze::DevicePathTotal& part : view.device_paths) {
    if (part.leaf == analyze::kEmptyPath) continue;
    const uint32_t device = view.device_work[part.total].device;
    Row& row = rows.try_emplace({device, part.leaf}, Row{device, part.leaf}).first->second;
    row.count += part.count;
    row.ns += part.KernelNs();
    row.waited_ns += part.waited_ns;
    row.bytes += part.bytes;
  }
  std::vector<Row> sorted;
  for (const auto& [key, row] : rows) sorted.push_back(row);
  std::stable_sort(sorted.begin(), sorted.end(), [](const Row& a, const Row& b) { return a.ns > b.ns; });
  return sorted;
}

// The functions of the path, outermost first.
std::string NamesOf(const analyze::View& view, analyze::PathId path, const TextOptions& options) {
  std::vector<analyze::FunctionId> functions;
  for (const analyze::LocationId id : view.paths.Locations(path)) {
    const analyze::Location& location = view.frames.location(id);
    for (uint32_t i = location.line_count; i-- > 0;)
      functions.push_back(view.frames.line(location.first_line + i).function);
  }
  return PathText(view, functions, {}, options);
}

}  // namespace

std::string DevicePathsText(const analyze::View& view, const TextOptions& options, size_t usual) {
  const std::vector<Row> rows = RowsOf(view);
  if (rows.empty()) return "";
  TextTable table({{"device", Align::kRight},
                   {"time", Align::kRight},
                   {"count", Align::kRight},
                   {"MB", Align::kRight, Fit::kKeep, 1},
                   {"host waited", Align::kRight, Fit::kKeep, 2},
                   {"asked for by", Align::kLeft, Fit::kShorten}});
  const size_t shown = std::min(rows.size(), options.limit == 0 ? usual : options.limit);
  for (size_t i = 0; i < shown; ++i) {
    const Row& row = rows[i];
    table.Add({std::to_string(row.device - 1), Duration(row.ns), Count(row.count),
               row.bytes == 0 ? "" : Times(static_cast<double>(row.bytes) / 1e6), Duration(row.waited_ns),
               NamesOf(view, row.path, options)});
  }
  return Title(options.style,
               "Kernels and copies by call path (exact; by the device's own clock where its trace has them)") +
         table.Text(options.style) + Omitted(shown, rows.size(), "paths");
}

namespace {

using Align = TextTable::Align;
using Fit = TextTable::Fit;

// What a work is charged with: the waits for it where it was launched, and with nowait the waits elsewhere.
uint64_t ChargeOf(const analyze::DeviceWorkTotal& work) { return work.waited_ns + work.charged_ns; }

// The work that host threads waited for, the longest waits first.
std::vector<const analyze::DeviceWorkTotal*> Waited(const analyze::View& view) {
  std::vector<const analyze::DeviceWorkTotal*> charges;
  for (const analyze::DeviceWorkTotal& work : view.device_work) {
    if (work.device != 0 && ChargeOf(work) != 0) charges.push_back(&work);
  }
  std::stable_sort(charges.begin(), charges.end(),
                   [](const auto* a, const auto* b) { return ChargeOf(*a) > ChargeOf(*b); });
  return charges;
}

}  // namespace

std::string DeviceBlameText(const analyze::View& view, const TextOptions& options, size_t usual) {
  const std::vector<const analyze::DeviceWorkTotal*> charges = Waited(view);
  if (charges.empty()) return "";
  uint64_t all = 0;
  for (const analyze::DeviceWorkTotal* charge : charges) all += ChargeOf(*charge);
  TextTable table({{"waited", Align::kRight},
                   {"share", Align::kRight},
                   {"device", Align::kRight},
                   {"work", Align::kLeft},
                   {"target construct", Align::kLeft, Fit::kShorten}});
  const size_t rows = std::min(charges.size(), options.limit == 0 ? usual : options.limit);
  for (size_t i = 0; i < rows; ++i) {
    const analyze::DeviceWorkTotal& charge = *charges[i];
    table.Add({Duration(ChargeOf(charge)), Share(ChargeOf(charge), all), std::to_string(charge.device - 1),
               DeviceWorkName(charge.work), NameText(view, charge.construct, options)});
  }
  return Title(options.style,
               "Which work of devices host threads waited for (thread time; shares of " + Duration(all) + ")") +
         table.Text(options.style) + Omitted(rows, charges.size(), "rows");
}

void JsonDeviceBlame(const analyze::View& view, JsonWriter* json) {
  const std::vector<const analyze::DeviceWorkTotal*> charges = Waited(view);
  if (charges.empty()) return;
  json->Key("device_blame");
  json->BeginArray();
  for (const analyze::DeviceWorkTotal* charge : charges) {
    const analyze::ViewFunction& construct = view.frames.function(charge->construct);
    json->BeginObject();
    json->Member("process", view.run.process(charge->process).pid);
    json->Member("device", charge->device - 1);
    json->Member("work", DeviceWorkName(charge->work));
    json->Member("function", construct.name);
    json->Member("file", construct.file);
    json->Member("line", construct.line);
    json->Member("wait_ns", ChargeOf(*charge));
    json->EndObject();
  }
  json->EndArray();
}

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
