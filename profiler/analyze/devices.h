// What devices did, as the host's threads saw it.
#ifndef OMPPROF_PROFILER_ANALYZE_DEVICES_H_
#define OMPPROF_PROFILER_ANALYZE_DEVICES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "profiler/analyze/view.h"

namespace ompprof::analyze {

struct DeviceSummary {
  uint32_t process = 0;
  uint32_t id = 0;  // its number in OpenMP, plus 1
  std::string type;
  uint64_t busy_ns = 0;  // in kernels
  uint64_t launches = 0;
  uint64_t copy_ns = 0;
  uint64_t copies = 0;
  uint64_t waited_ns = 0;  // of host threads, for kernels and copies
};

// The devices that did something, or that the runtime has initialized, by process and number.
std::vector<DeviceSummary> Devices(const View& view);

// The target regions that the host executed itself.
uint64_t RegionsOnTheHost(const View& view);

inline bool IsCopy(DeviceWork work) { return work == DeviceWork::kToDevice || work == DeviceWork::kFromDevice; }

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_DEVICES_H_
