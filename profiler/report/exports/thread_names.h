// The names of processes, threads and devices in exports.
#ifndef OMPPROF_PROFILER_REPORT_EXPORTS_THREAD_NAMES_H_
#define OMPPROF_PROFILER_REPORT_EXPORTS_THREAD_NAMES_H_

#include <cstdint>
#include <string>

#include "profiler/analyze/account/device_timeline.h"
#include "profiler/analyze/view/view.h"

namespace ompprof::report {

// "heat 4711"; with several processes, also host and rank.
std::string ProcessName(const analyze::View& view, uint32_t process);

// "thread 2 (worker)"; with several processes, after the process's name.
std::string ThreadName(const analyze::View& view, uint32_t process, uint32_t thread);

// "device 0 (reference)"; with several processes, after the process's name.
std::string DeviceName(const analyze::View& view, const analyze::DeviceTimeline& timeline);

// "kernel", "to device", "from device" or "device memory": the class of an operation in a timeline.
const char* DeviceClassName(analyze::DeviceWork work);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_EXPORTS_THREAD_NAMES_H_
