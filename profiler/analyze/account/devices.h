// What devices did, as the host's threads saw it.
#ifndef OMPPROF_PROFILER_ANALYZE_ACCOUNT_DEVICES_H_
#define OMPPROF_PROFILER_ANALYZE_ACCOUNT_DEVICES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "profiler/analyze/view/view.h"

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

// A target construct on one device, or on the host.
struct TargetConstruct {
  FunctionId construct = kNoFunction;
  uint32_t device = 0;      // Device.id; 0: the host executed it
  uint64_t executions = 0;  // of target, target data, enter data, exit data and update; exact, as all members
  uint64_t elapsed_ns = 0;  // wall time of the host's threads in these
  uint64_t longest_ns = 0;
  uint64_t waited_ns = 0;  // the part in which the host's thread waited
  uint64_t launches = 0;
  uint64_t kernel_ns = 0;
  uint64_t copies = 0;
  uint64_t copy_ns = 0;
  uint64_t bytes = 0;  // copied
};

// The target constructs of all processes, the longest first.
std::vector<TargetConstruct> TargetConstructs(const View& view);

// The target regions that the host executed itself.
uint64_t RegionsOnTheHost(const View& view);

// Whether it is a construct, which contains other work.
inline bool IsConstruct(DeviceWork work) {
  return work == DeviceWork::kTarget || work == DeviceWork::kEnterData || work == DeviceWork::kExitData ||
         work == DeviceWork::kUpdate;
}

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_ACCOUNT_DEVICES_H_
