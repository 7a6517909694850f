#include "profiler/report/columns/region_columns.h"

#include <string>
#include <utility>

#include "profiler/analyze/view/confidence.h"
#include "profiler/report/basics/names_text.h"
#include "profiler/report/basics/units.h"
#include "profiler/report/columns/count_columns.h"
#include "profiler/report/columns/region_losses.h"
#include "profiler/report/columns/region_objects.h"

namespace ompprof::report {
namespace {

using Cell = TextTable::Cell;
using Fit = TextTable::Fit;
using RegionGroup = std::vector<Column<RegionRow>>;

std::string FunctionName(const RegionRow& row) {
  const std::string& name = row.view.frames.function(row.region.construct).name;
  return name.substr(0, name.rfind(" [omp "));
}

Cell NameCell(const RegionRow& row) {
  std::string name = NameText(row.view, row.region.construct, *row.options);
  const Color color = NameColor(name);
  return {std::move(name), color};
}

std::string Range(uint32_t low, uint32_t high) {
  if (high == 0) return "-";
  return low == high ? std::to_string(low) : std::to_string(low) + "-" + std::to_string(high);
}

bool IsCounted(const RegionRow& row) { return row.region.invocations > 0; }

RegionGroup RegionIdentity() {
  return {
      {.key = "function",
       .value = [](const RegionRow& row) -> Value { return FunctionName(row); },
       .meaning = "the function that contains the construct"},
      {.key = "file",
       .value = [](const RegionRow& row) -> Value { return row.view.frames.function(row.region.construct).file; },
       .meaning = "file of the pragma"},
      {.key = "line",
       .unit = Unit::kNumber,
       .value = [](const RegionRow& row) -> Value {
         return uint64_t{row.view.frames.function(row.region.construct).line};
       },
       .meaning = "line of the pragma"},
      {.key = "name",
       .heading = "parallel region",
       .value = [](const RegionRow& row) -> Value { return row.view.frames.function(row.region.construct).name; },
       .text = {100, 0, Fit::kShorten},
       .detail = {160, 0, Fit::kShorten},
       .page = 10,
       .cell = NameCell,
       .meaning = "the parallel construct, as in `functions`"},
  };
}

RegionGroup RegionSizes() {
  return {
      {.key = "invocations",
       .heading = "runs",
       .unit = Unit::kCount,
       .from = From::kExact,
       .value = [](const RegionRow& row) -> Value { return row.region.invocations; },
       .text = {50, 3},
       .page = 40,
       .known = IsCounted,
       .meaning = "instances begun"},
      {.key = "ended",
       .heading = "runs",
       .unit = Unit::kCount,
       .value = [](const RegionRow& row) -> Value { return row.region.ended; },
       .detail = {20, 4},
       .files = 0},
      {.key = "elapsed_ns",
       .heading = "elapsed",
       .unit = Unit::kNs,
       .from = From::kExact,
       .value = [](const RegionRow& row) -> Value { return row.region.elapsed_ns; },
       .text = {40, 2},
       .detail = {10},
       .page = 30,
       .known = IsCounted,
       .meaning = "wall time from begin to end, added up over instances"},
      {.key = "cpu_ns",
       .heading = "CPU",
       .unit = Unit::kWeight,
       .from = From::kSampled,
       .value = [](const RegionRow& row) -> Value { return row.region.weight; },
       .text = {10},
       .page = 20,
       .meaning = "CPU time of all threads in the region, nested regions included"},
      {.key = "share",
       .heading = "share",
       .unit = Unit::kShare,
       .text = {20},
       .files = 0,
       .cell = [](const RegionRow& row) { return ShareCell(row.region.weight, row.view.total_weight); }},
      {.key = "cpu_error_ns",
       .heading = "±",
       .unit = Unit::kWeight,
       .from = From::kComputed,
       .value = [](const RegionRow& row) -> Value { return analyze::WeightError(row.view, row.region.weight); },
       .text = {30, 6},
       .cell = [](const RegionRow& row) -> Cell { return ErrorText(row.view, row.region.weight); },
       .meaning = "the CPU time's error"},
      {.key = "samples",
       .unit = Unit::kCount,
       .from = From::kSampled,
       .value = [](const RegionRow& row) -> Value { return row.region.samples; },
       .meaning = "samples in the region, nested regions included"},
  };
}

RegionGroup KernelWork() {
  return {
      {.key = "minor_faults",
       .unit = Unit::kCount,
       .from = From::kSampled,
       .value = [](const RegionRow& row) -> Value { return row.region.faults; },
       .meaning = "page faults that needed no disk, nested regions included"},
      {.key = "kernel_ns",
       .unit = Unit::kNs,
       .from = From::kSampled,
       .value = [](const RegionRow& row) -> Value { return row.region.kernel_ns; },
       .meaning = "CPU time in the kernel, nested regions included"},
  };
}

const analyze::Counts& CountsOf(const RegionRow& row) { return row.region.counts; }
using RegionCountColumns = CountColumns<RegionRow, CountsOf>;

double MeanSize(const analyze::Region& region) {
  return region.invocations == 0 ? 0.0 : static_cast<double>(region.team_sum) / static_cast<double>(region.invocations);
}

// The mean over ended instances by elapsed time, like the other figures of losses, if the elapsed time is known.
double MeanTeam(const RegionRow& row) {
  return analyze::WaitsRecorded(row.view)
             ? row.region.MeanTeam()
             : static_cast<double>(row.region.team_sum) / static_cast<double>(row.region.ended);
}

RegionGroup Teams() {
  return {
      {.key = "team_size",
       .heading = "team",
       .unit = Unit::kFactor,
       .from = From::kExact,
       .value = [](const RegionRow& row) -> Value { return MeanSize(row.region); },
       .text = {60, 4},
       .page = 50,
       .cell = [](const RegionRow& row) -> Cell { return Range(row.region.team_min, row.region.team_max); },
       .meaning = "mean team size"},
      {.key = "mean_team",
       .heading = "team",
       .unit = Unit::kFactor,
       .value = [](const RegionRow& row) -> Value { return MeanTeam(row); },
       .detail = {30, 5},
       .files = 0},
      {.key = "team_size_min",
       .unit = Unit::kNumber,
       .from = From::kExact,
       .value = [](const RegionRow& row) -> Value { return uint64_t{row.region.team_min}; },
       .meaning = "smallest team size"},
      {.key = "team_size_max",
       .unit = Unit::kNumber,
       .from = From::kExact,
       .value = [](const RegionRow& row) -> Value { return uint64_t{row.region.team_max}; },
       .meaning = "largest team size"},
      {.key = "requested_min",
       .heading = "asked",
       .unit = Unit::kNumber,
       .from = From::kExact,
       .value = [](const RegionRow& row) -> Value { return uint64_t{row.region.requested_min}; },
       .text = {70, 5},
       .cell = [](const RegionRow& row) -> Cell { return Range(row.region.requested_min, row.region.requested_max); },
       .meaning = "smallest team size that the program asked for"},
      {.key = "requested_max",
       .unit = Unit::kNumber,
       .from = From::kExact,
       .value = [](const RegionRow& row) -> Value { return uint64_t{row.region.requested_max}; },
       .meaning = "largest team size that the program asked for"},
      {.key = "nesting_level",
       .unit = Unit::kNumber,
       .from = From::kExact,
       .value = [](const RegionRow& row) -> Value { return uint64_t{row.region.nesting_level}; },
       .meaning = "0: outermost"},
  };
}

RegionGroup RegionParts() {
  return {
      {.key = "loops",
       .unit = Unit::kArray,
       .from = From::kExact,
       .files = kJson,
       .json = [](const RegionRow& row, JsonWriter* json) { JsonLoops(row.view, row.region, json); },
       .meaning = "worksharing constructs in the region: see below"},
      {.key = "paths",
       .unit = Unit::kArray,
       .files = kJson,
       .json = [](const RegionRow& row, JsonWriter* json) { JsonPaths(row.view, *row.paths, json); },
       .meaning = "call paths that reach the region, by CPU time: see below; empty with `--view=machine`"},
      {.key = "threads.useful",
       .heading = "work by thread",
       .unit = Unit::kWeight,
       .from = From::kSampled,
       .page = 110,
       .files = 0,
       .meaning = "CPU time of each thread in the region, without waits"},
      {.key = "threads.wait_ns",
       .heading = "waits by thread",
       .unit = Unit::kNs,
       .from = From::kExact,
       .page = 120,
       .files = 0,
       .estimate = EstimateOfWaits,
       .derived = true,
       .meaning = "wall time that each thread waited in the region"},
  };
}

// Target constructs are rows of another kind; see TargetColumns.
RegionGroup Kinds() {
  return {
      {.key = "kind", .value = [](const RegionRow&) -> Value { return "parallel"; }, .meaning = "`parallel`"},
  };
}

}  // namespace

RegionRow RowOf(const analyze::View& view, const analyze::Region& region) {
  return {view, region, analyze::PotentialGains(view, region)};
}

const std::vector<Column<RegionRow>>& RegionColumns() {
  static const RegionGroup columns = AllOf({RegionIdentity(), RegionSizes(), KernelWork(),
                                            RegionCountColumns::Members("the region, nested regions included"), Teams(),
                                            RegionLossColumns(), RegionParts(), Kinds()});
  return columns;
}

std::vector<Column<RegionRow>> RegionColumnsOf(const analyze::View& view) {
  constexpr int kBeforeName = 95;
  return AllOf({RegionColumns(), RegionCountColumns::Of(view, kBeforeName)});
}

}  // namespace ompprof::report
