// The columns of the table of what the host asked of its devices.
#ifndef OMPPROF_PROFILER_REPORT_COLUMNS_DEVICE_COLUMNS_H_
#define OMPPROF_PROFILER_REPORT_COLUMNS_DEVICE_COLUMNS_H_

#include <vector>

#include "profiler/analyze/view/view.h"
#include "profiler/report/basics/text_options.h"
#include "profiler/report/columns/column.h"

namespace ompprof::report {

struct DeviceRow {
  const analyze::View& view;
  const analyze::DeviceWorkTotal& work;
  const TextOptions* options = nullptr;  // of text
};

const std::vector<Column<DeviceRow>>& DeviceColumns();

// "kernel", "copy to the device", ...
const char* DeviceWorkName(analyze::DeviceWork work);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_COLUMNS_DEVICE_COLUMNS_H_
