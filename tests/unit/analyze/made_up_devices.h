// Devices for views that are made up singly.
#ifndef OMPPROF_TESTS_UNIT_ANALYZE_MADE_UP_DEVICES_H_
#define OMPPROF_TESTS_UNIT_ANALYZE_MADE_UP_DEVICES_H_

#include <cstdint>
#include <string>

#include "profiler/analyze/view/view.h"

namespace ompprof::test {

// Adds work of device 0 at a construct of that name, on `path`. Returns its number in View::device_paths.
inline uint32_t AddDeviceWork(analyze::View* view, analyze::DeviceWork work, const std::string& construct,
                              const analyze::DeviceWorkTotal& figures, analyze::PathId path = analyze::kEmptyPath,
                              uint32_t device = 1) {
  if (view->devices.empty()) view->devices.push_back({0, 1, "reference"});
  analyze::DeviceWorkTotal total = figures;
  total.device = device;
  total.work = work;
  total.construct = view->frames.AddFunction({construct + " [omp target a.c:7]", "", "a.c", 7, 0});
  total.place = {total.construct, 7};
  view->device_work.push_back(total);
  analyze::DevicePathTotal part{static_cast<uint32_t>(view->device_work.size() - 1), path};
  part.count = total.count;
  part.bytes = total.bytes;
  part.host_ns = total.host_ns;
  part.traced = total.traced;
  part.traced_ns = total.traced_ns;
  view->device_paths.push_back(part);
  return static_cast<uint32_t>(view->device_paths.size() - 1);
}

}  // namespace ompprof::test

#endif  // OMPPROF_TESTS_UNIT_ANALYZE_MADE_UP_DEVICES_H_
