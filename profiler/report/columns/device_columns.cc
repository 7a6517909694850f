#include "profiler/report/columns/device_columns.h"

#include "profiler/report/basics/names_text.h"
#include "profiler/report/basics/units.h"

namespace ompprof::report {
namespace {

using Cell = TextTable::Cell;
using Fit = TextTable::Fit;
using DeviceGroup = std::vector<Column<DeviceRow>>;

DeviceGroup DeviceIdentity() {
  return {
      {.key = "process",
       .unit = Unit::kNumber,
       .value = [](const DeviceRow& row) -> Value { return row.view.run.process(row.work.process).pid; },
       .meaning = "pid"},
      {.key = "device",
       .heading = "device",
       .unit = Unit::kNumber,
       .from = From::kExact,
       .value = [](const DeviceRow& row) -> Value {
         return row.work.device == 0 ? Value() : uint64_t{row.work.device} - 1;
       },
       .text = {10},
       .cell = [](const DeviceRow& row) -> Cell {
         return row.work.device == 0 ? "host" : std::to_string(row.work.device - 1);
       },
       .meaning = "its number in OpenMP; empty, in text `host`: the host executed the region itself"},
      {.key = "work",
       .heading = "work",
       .from = From::kExact,
       .value = [](const DeviceRow& row) -> Value { return DeviceWorkName(row.work.work); },
       .text = {20},
       .page = 10,
       .meaning = "`kernel`: from a region's launch to the return of the call that launched it; `copy to the device`, "
                  "`copy from the device`, `allocation`, `free`; `target`, `target enter data`, `target exit data`, "
                  "`target update`: the whole construct with its operations"},
      {.key = "construct",
       .heading = "target construct",
       .value = [](const DeviceRow& row) -> Value { return row.view.frames.function(row.work.construct).name; },
       .text = {90, 0, Fit::kShorten},
       .page = 20,
       .cell = [](const DeviceRow& row) -> Cell { return NameText(row.view, row.work.construct, *row.options); },
       .meaning = "the construct that asked for it"},
      {.key = "at",
       .value = [](const DeviceRow& row) -> Value { return PlaceText(row.view, row.work.place); },
       .meaning = "`file:line` of the call of the runtime"},
  };
}

DeviceGroup DeviceFigures() {
  return {
      {.key = "count",
       .heading = "count",
       .unit = Unit::kCount,
       .from = From::kExact,
       .value = [](const DeviceRow& row) -> Value { return row.work.count; },
       .text = {40},
       .page = 30,
       .meaning = "how often"},
      {.key = "bytes",
       .heading = "MB",
       .unit = Unit::kCount,
       .from = From::kExact,
       .value = [](const DeviceRow& row) -> Value { return row.work.bytes; },
       .text = {50, 1},
       .page = 60,
       .cell = [](const DeviceRow& row) -> Cell { return Megabytes(row.work.bytes); },
       .meaning = "of memory and of copies; text and page have megabytes"},
      {.key = "time_ns",
       .heading = "time",
       .unit = Unit::kNs,
       .from = From::kExact,
       .value = [](const DeviceRow& row) -> Value { return row.work.host_ns; },
       .text = {30},
       .page = 40,
       .meaning = "wall time, as the host measures it"},
  };
}

DeviceGroup DeviceTimes() {
  return {
      {.key = "traced_ns",
       .heading = "on the device",
       .unit = Unit::kNs,
       .from = From::kExact,
       .value = [](const DeviceRow& row) -> Value {
         return row.work.traced == 0 ? Value() : Value(row.work.traced_ns);
       },
       .text = {35, 5},
       .page = 50,
       .meaning = "of kernels and copies: their time by the device's clock, if the device has a trace"},
      {.key = "rate",
       .heading = "MB/s",
       .unit = Unit::kCount,
       .text = {60, 2},
       .page = 70,
       .files = 0,
       .cell = [](const DeviceRow& row) -> Cell {
         if (row.work.bytes == 0 || row.work.host_ns == 0 || row.work.work == analyze::DeviceWork::kAllocation)
           return "";
         return Count(
             static_cast<uint64_t>(1e3 * static_cast<double>(row.work.bytes) / static_cast<double>(row.work.host_ns)));
       },
       .meaning = "megabytes per second"},
      {.key = "longest_ns",
       .heading = "longest",
       .unit = Unit::kNs,
       .from = From::kExact,
       .value = [](const DeviceRow& row) -> Value { return row.work.longest_ns; },
       .text = {70, 3},
       .page = 80,
       .meaning = "the longest of them"},
      {.key = "wait_ns",
       .heading = "host waited",
       .unit = Unit::kNs,
       .from = From::kExact,
       .value = [](const DeviceRow& row) -> Value { return row.work.waited_ns; },
       .text = {80, 4},
       .page = 90,
       .meaning =
           "the part of `time_ns` in which the host's thread waited; only of kernels, and of copies of 64 KiB or "
           "more"},
      {.key = "charged_ns",
       .heading = "charged",
       .unit = Unit::kNs,
       .from = From::kExact,
       .value = [](const DeviceRow& row) -> Value { return row.work.charged_ns; },
       .page = 95,
       .meaning = "waits in taskwaits, taskgroups and barriers that a target construct with `nowait` is charged with"},
  };
}

}  // namespace

const char* DeviceWorkName(analyze::DeviceWork work) {
  switch (work) {
    case analyze::DeviceWork::kTarget:
      return "target";
    case analyze::DeviceWork::kEnterData:
      return "target enter data";
    case analyze::DeviceWork::kExitData:
      return "target exit data";
    case analyze::DeviceWork::kUpdate:
      return "target update";
    case analyze::DeviceWork::kKernel:
      return "kernel";
    case analyze::DeviceWork::kAllocation:
      return "allocation";
    case analyze::DeviceWork::kToDevice:
      return "copy to the device";
    case analyze::DeviceWork::kFromDevice:
      return "copy from the device";
    case analyze::DeviceWork::kFree:
      return "free";
    case analyze::DeviceWork::kOther:
      break;
  }
  return "other";
}

const std::vector<Column<DeviceRow>>& DeviceColumns() {
  static const DeviceGroup columns = AllOf({DeviceIdentity(), DeviceFigures(), DeviceTimes()});
  return columns;
}

}  // namespace ompprof::report
