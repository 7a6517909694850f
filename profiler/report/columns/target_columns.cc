#include "profiler/report/columns/target_columns.h"

#include <string>

#include "profiler/report/basics/names_text.h"
#include "profiler/report/basics/units.h"

namespace ompprof::report {
namespace {

using Cell = TextTable::Cell;
using Fit = TextTable::Fit;
using TargetGroup = std::vector<Column<TargetRow>>;

const analyze::ViewFunction& ConstructOf(const TargetRow& row) {
  return row.view.frames.function(row.target.construct);
}

TargetGroup TargetIdentity() {
  return {
      {.key = "kind", .value = [](const TargetRow&) -> Value { return "target"; }, .meaning = "`target`"},
      {.key = "function",
       .value = [](const TargetRow& row) -> Value {
         const std::string& name = ConstructOf(row).name;
         return name.substr(0, name.rfind(" [omp "));
       },
       .meaning = "the function that contains the construct"},
      {.key = "file",
       .value = [](const TargetRow& row) -> Value { return ConstructOf(row).file; },
       .meaning = "file of the pragma"},
      {.key = "line",
       .unit = Unit::kNumber,
       .value = [](const TargetRow& row) -> Value { return uint64_t{ConstructOf(row).line}; },
       .meaning = "line of the pragma"},
      {.key = "name",
       .heading = "target construct",
       .value = [](const TargetRow& row) -> Value { return ConstructOf(row).name; },
       .text = {100, 0, Fit::kShorten},
       .page = 10,
       .cell = [](const TargetRow& row) -> Cell {
         return {NameText(row.view, row.target.construct, *row.options), Color::kConstruct};
       },
       .meaning = "the target construct, as in `functions`"},
      {.key = "device",
       .heading = "device",
       .unit = Unit::kNumber,
       .from = From::kExact,
       .value = [](const TargetRow& row) -> Value {
         return row.target.device == 0 ? Value() : uint64_t{row.target.device} - 1;
       },
       .text = {90},
       .page = 20,
       .cell = [](const TargetRow& row) -> Cell {
         return row.target.device == 0 ? "host" : std::to_string(row.target.device - 1);
       },
       .meaning = "the device's number in OpenMP; absent, in CSV with `on_host` 1: the host executed the construct"},
      {.key = "on_host",
       .unit = Unit::kFlag,
       .from = From::kExact,
       .value = [](const TargetRow& row) -> Value { return row.target.device == 0; },
       .meaning = "whether the host executed the construct itself"},
  };
}

TargetGroup TargetFigures() {
  return {
      {.key = "invocations",
       .heading = "runs",
       .unit = Unit::kCount,
       .from = From::kExact,
       .value = [](const TargetRow& row) -> Value { return row.target.executions; },
       .text = {20},
       .page = 40,
       .meaning = "executions of the construct"},
      {.key = "launches",
       .heading = "launches",
       .unit = Unit::kCount,
       .from = From::kExact,
       .value = [](const TargetRow& row) -> Value { return row.target.launches; },
       .text = {30, 3},
       .page = 50,
       .meaning = "kernels that the construct launched"},
      {.key = "elapsed_ns",
       .heading = "elapsed",
       .unit = Unit::kNs,
       .from = From::kExact,
       .value = [](const TargetRow& row) -> Value { return row.target.elapsed_ns; },
       .text = {10},
       .page = 30,
       .meaning = "wall time of the host's threads in the construct, added up over executions"},
      {.key = "elapsed_max_ns",
       .heading = "longest",
       .unit = Unit::kNs,
       .from = From::kExact,
       .value = [](const TargetRow& row) -> Value { return row.target.longest_ns; },
       .text = {40, 4},
       .page = 60,
       .meaning = "the longest execution"},
  };
}

// What the host and the device did in the meantime.
TargetGroup TargetParts() {
  return {
      {.key = "host_wait_ns",
       .heading = "host waited",
       .unit = Unit::kNs,
       .from = From::kExact,
       .value = [](const TargetRow& row) -> Value { return row.target.waited_ns; },
       .text = {50},
       .page = 70,
       .meaning = "the part of the elapsed time in which the host's thread waited for it"},
      {.key = "kernel_ns",
       .heading = "kernels",
       .unit = Unit::kNs,
       .from = From::kExact,
       .value = [](const TargetRow& row) -> Value { return row.target.kernel_ns; },
       .text = {60, 1},
       .page = 80,
       .meaning = "time of the kernels, by the device's clock where the device has a trace"},
      {.key = "copy_ns",
       .heading = "copies",
       .unit = Unit::kNs,
       .from = From::kExact,
       .value = [](const TargetRow& row) -> Value { return row.target.copy_ns; },
       .text = {70, 2},
       .page = 90,
       .meaning = "time of the copies to and from the device"},
      {.key = "copied_bytes",
       .heading = "MB",
       .unit = Unit::kCount,
       .from = From::kExact,
       .value = [](const TargetRow& row) -> Value { return row.target.bytes; },
       .text = {80, 5},
       .page = 100,
       .cell = [](const TargetRow& row) -> Cell { return Megabytes(row.target.bytes); },
       .meaning = "bytes of these copies; text and page have megabytes"},
  };
}

}  // namespace

const std::vector<Column<TargetRow>>& TargetColumns() {
  static const TargetGroup columns = AllOf({TargetIdentity(), TargetFigures(), TargetParts()});
  return columns;
}

}  // namespace ompprof::report
