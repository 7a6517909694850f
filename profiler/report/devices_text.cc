#include "profiler/report/devices_text.h"

#include <algorithm>
#include <vector>

#include "profiler/analyze/account/devices.h"
#include "profiler/report/columns/device_columns.h"
#include "profiler/report/columns/rows_text.h"
#include "profiler/report/names_text.h"
#include "profiler/report/units.h"

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

}  // namespace ompprof::report
