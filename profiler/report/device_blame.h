// Devices that kept host threads waiting, by target construct: the exact waits, charged to what the device worked at.
#ifndef OMPPROF_PROFILER_REPORT_DEVICE_BLAME_H_
#define OMPPROF_PROFILER_REPORT_DEVICE_BLAME_H_

#include <string>

#include "profiler/analyze/view/view.h"
#include "profiler/report/json_writer.h"
#include "profiler/report/text_options.h"

namespace ompprof::report {

// The table of `report --blame`; "" if no thread waited for a device. `usual`: its rows without --limit.
std::string DeviceBlameText(const analyze::View& view, const TextOptions& options, size_t usual);

// The member `device_blame`; none if no thread waited for a device.
void JsonDeviceBlame(const analyze::View& view, JsonWriter* json);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_DEVICE_BLAME_H_
