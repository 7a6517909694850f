// The timeline of each device: View::device_operations as rows whose operations do not overlap. The exports with a
// timeline and the page read it.
#ifndef OMPPROF_PROFILER_ANALYZE_ACCOUNT_DEVICE_TIMELINE_H_
#define OMPPROF_PROFILER_ANALYZE_ACCOUNT_DEVICE_TIMELINE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "profiler/analyze/view/view.h"

namespace ompprof::analyze {

struct DeviceSlice {
  uint32_t operation;  // index into View::device_operations
  uint32_t row;        // 0, or a further row for operations at the same time as others
};

struct DeviceTimeline {
  uint32_t process;  // index into RunFacts::processes
  uint32_t device;   // Device.id
  std::string type;
  uint32_t rows = 1;
  std::vector<DeviceSlice> slices;  // by time; no two of a row overlap
};

// The timelines by process and device, of the devices with operations. A kernel of the device's trace replaces the
// launch that the host measured. Constructs are left out, because they contain operations.
std::vector<DeviceTimeline> DeviceTimelines(const View& view);

// "both_ways [omp target a.c:12]": the construct of the operation.
const ViewFunction& ConstructOf(const View& view, const DeviceOperation& operation);

// The totals that the operation is a part of.
const DeviceWorkTotal& TotalOf(const View& view, const DeviceOperation& operation);

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_ACCOUNT_DEVICE_TIMELINE_H_
