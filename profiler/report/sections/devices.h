// Devices: what the host asked of them, by call path, and who waited for them.
#ifndef OMPPROF_PROFILER_REPORT_SECTIONS_DEVICES_H_
#define OMPPROF_PROFILER_REPORT_SECTIONS_DEVICES_H_

#include <string>

#include "profiler/analyze/view/view.h"
#include "profiler/report/basics/json_writer.h"
#include "profiler/report/basics/text_options.h"

namespace ompprof::report {

// What the host asked of its devices, longest first, at most `limit` rows if options.limit does not say otherwise.
// Empty without devices.
std::string DevicesText(const analyze::View& view, const TextOptions& options, size_t limit);

// The table of `report --devices --paths`; "" if no device executed anything. `usual`: its rows without --limit.
std::string DevicePathsText(const analyze::View& view, const TextOptions& options, size_t usual);

// The table of `report --blame`; "" if no thread waited for a device. `usual`: its rows without --limit.
std::string DeviceBlameText(const analyze::View& view, const TextOptions& options, size_t usual);

// The member `device_blame`; none if no thread waited for a device.
void JsonDeviceBlame(const analyze::View& view, JsonWriter* json);

// Writes the member and its array. Nothing without devices.
void JsonDevices(const analyze::View& view, JsonWriter* json);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_SECTIONS_DEVICES_H_
