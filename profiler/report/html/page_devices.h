// The devices' rows in the page's timeline: kernels, copies and memory operations in time.
#ifndef OMPPROF_PROFILER_REPORT_HTML_PAGE_DEVICES_H_
#define OMPPROF_PROFILER_REPORT_HTML_PAGE_DEVICES_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "profiler/analyze/view/view.h"
#include "profiler/report/html/thread_rows.h"

namespace ompprof::report {

// One operation, or several like it that were joined.
struct PageOperation {
  uint32_t device = 0;  // index into PageDevices::devices
  analyze::DeviceWork work = analyze::DeviceWork::kOther;
  analyze::FunctionId construct = analyze::kNoFunction;
  uint64_t begin_ns = 0;  // since the first process's start
  uint64_t end_ns = 0;
  uint64_t busy_ns = 0;  // the lengths of the operations
  uint64_t bytes = 0;
  uint64_t count = 0;  // of operations
};

struct PageDevice {
  std::string label;       // "device 0", "rank 1/device 0"
  std::string type;        // as device_initialize gives it
  uint32_t after_row = 0;  // the last row of its process's threads
};

struct PageDevices {
  std::vector<PageDevice> devices;
  uint64_t resolution_ns = 0;             // similar operations closer than this were joined; 0: none were joined
  std::vector<PageOperation> operations;  // by device, then by time
};

// `limit`: the largest number of operations.
PageDevices BuildPageDevices(const analyze::View& view, const ThreadRows& rows, size_t limit);

inline constexpr size_t kPageOperations = 50000;

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_HTML_PAGE_DEVICES_H_
