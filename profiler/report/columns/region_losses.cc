#include "profiler/report/columns/region_losses.h"

#include <algorithm>
#include <string>
#include <utility>

#include "profiler/report/basics/names_text.h"
#include "profiler/report/basics/units.h"
#include "profiler/report/columns/region_objects.h"

namespace ompprof::report {
namespace {

using Cell = TextTable::Cell;
using LossGroup = std::vector<Column<RegionRow>>;

// "fork and join" as part of a column's key: "fork_join".
std::string Underscored(std::string text) {
  std::replace(text.begin(), text.end(), ' ', '_');
  return text;
}

bool IsMeasured(const RegionRow& row) { return analyze::WaitsRecorded(row.view); }
bool HasUseful(const RegionRow& row) { return row.region.useful_ns > 0; }

Cell EndWaitCell(const RegionRow& row) {
  const analyze::Region& region = row.region;
  return region.team_ns == 0 ? "-" : Tilde(region.end_wait_estimate) + Share(region.end_wait_ns, region.team_ns);
}

LossGroup LossWaits() {
  return {
      {.key = "barrier_wait_ns",
       .heading = "barriers",
       .unit = Unit::kNs,
       .from = From::kExact,
       .value = [](const RegionRow& row) -> Value { return row.region.end_wait_ns + row.region.barrier_wait_ns; },
       .detail = {80, 2},
       .page = 80,
       .estimate = [](const RegionRow& row) { return row.region.all_barriers_estimate(); },
       .known = IsMeasured,
       .meaning = "thread time at all barriers of the region, including the barrier at the region's end"},
      {.key = "end_wait_ns",
       .heading = "at end",
       .unit = Unit::kNs,
       .from = From::kExact,
       .value = [](const RegionRow& row) -> Value { return row.region.end_wait_ns; },
       .text = {90},
       .estimate = [](const RegionRow& row) { return row.region.end_wait_estimate; },
       .cell = EndWaitCell,
       .meaning =
           "the part of `barrier_wait_ns` from arrival at the barrier at the region's end to the region's end; in text "
           "its share of the team's time"},
      {.key = "task_wait_ns",
       .heading = "tasks",
       .unit = Unit::kNs,
       .from = From::kExact,
       .value = [](const RegionRow& row) -> Value { return row.region.task_wait_ns; },
       .detail = {90, 6},
       .page = 100,
       .estimate = [](const RegionRow& row) { return row.region.task_wait_estimate; },
       .known = IsMeasured,
       .meaning = "thread time in `taskwait` and `taskgroup` with no task to run"},
      {.key = "lock_wait_ns",
       .heading = "locks",
       .unit = Unit::kNs,
       .from = From::kExact,
       .value = [](const RegionRow& row) -> Value { return row.region.lock_wait_ns; },
       .detail = {100, 2},
       .page = 90,
       .estimate = [](const RegionRow& row) { return row.region.lock_wait_estimate; },
       .known = IsMeasured,
       .meaning = "thread time waiting for locks, criticals, ordered and atomic constructs"},
      {.key = "partial_ns",
       .unit = Unit::kNs,
       .from = From::kExact,
       .value = [](const RegionRow& row) -> Value { return row.region.partial_ns; },
       .meaning = "wall time while a thread of the team waited at a barrier, for tasks or for a lock (20 us or more)"},
  };
}

LossGroup OffCpu() {
  return {
      {.key = "ready_ns",
       .heading = "ready",
       .unit = Unit::kNs,
       .from = From::kComputed,
       .value = [](const RegionRow& row) -> Value { return row.region.ready_ns; },
       .text = {85, 2},
       .detail = {103, 4},
       .page = 103,
       .known = IsMeasured,
       .meaning = "thread time without waits in which threads could run but had no processor: time without waits less "
                  "sampled CPU time, as far as the threads' accounts say so"},
      {.key = "blocked_ns",
       .heading = "blocked",
       .unit = Unit::kNs,
       .from = From::kComputed,
       .value = [](const RegionRow& row) -> Value { return row.region.blocked_ns; },
       .detail = {104, 5},
       .page = 104,
       .known = IsMeasured,
       .meaning = "likewise, thread time asleep outside of OpenMP's waits"},
  };
}

LossGroup Useful() {
  return {
      {.key = "imbalance",
       .heading = "imbalance",
       .unit = Unit::kShare,
       .from = From::kExact,
       .value = [](const RegionRow& row) -> Value { return row.region.Imbalance(); },
       .text = {80, 1},
       .detail = {70, 3},
       .page = 70,
       .estimate = EstimateOfWaits,
       .derived = true,
       .known = HasUseful,
       .meaning =
           "how much longer the busiest thread works than the mean thread: maximum / mean of useful time, less 1; by "
           "sampled CPU time where threads lacked processors"},
      {.key = "useful_ns",
       .unit = Unit::kObject,
       .from = From::kExact,
       .files = kJson,
       .json = [](const RegionRow& row, JsonWriter* json) { JsonUseful(row.region, json); },
       .meaning = "time in the region without its waits, without `ready_ns` and without ompprof's own time by the "
                  "samples (`ompprof_cpu_ns`), added up over instances: `min` of each instance's least busy thread, "
                  "`mean` of a "
                  "thread, `max` of each instance's busiest thread"},
      {.key = "useful_min_ns",
       .heading = "useful min",
       .unit = Unit::kNs,
       .from = From::kExact,
       .value = [](const RegionRow& row) -> Value { return row.region.useful_min_ns; },
       .detail = {40, 9},
       .files = kCsv,
       .estimate = EstimateOfWaits,
       .derived = true,
       .known = IsMeasured,
       .meaning = "`useful_ns.min`"},
      {.key = "useful_mean_ns",
       .heading = "mean",
       .unit = Unit::kNs,
       .from = From::kExact,
       .value = [](const RegionRow& row) -> Value { return MeanUseful(row.region); },
       .detail = {50, 8},
       .files = kCsv,
       .estimate = EstimateOfWaits,
       .derived = true,
       .known = HasUseful,
       .meaning = "`useful_ns.mean`"},
      {.key = "useful_max_ns",
       .heading = "max",
       .unit = Unit::kNs,
       .from = From::kExact,
       .value = [](const RegionRow& row) -> Value { return row.region.useful_max_ns; },
       .detail = {60, 7},
       .files = kCsv,
       .estimate = EstimateOfWaits,
       .derived = true,
       .known = IsMeasured,
       .meaning = "`useful_ns.max`"},
  };
}

template <int kWhich>
Value OverheadWeight(const RegionRow& row) {
  return row.region.overhead_weight[kWhich];
}
template <int kWhich>
Value GainNs(const RegionRow& row) {
  return row.gains.ns[kWhich];
}

template <int... kWhich>
LossGroup OverheadColumns(std::integer_sequence<int, kWhich...>) {
  return {{.key = "overhead_" + Underscored(analyze::OverheadName(static_cast<analyze::Overhead>(kWhich))) + "_cpu_ns",
           .unit = Unit::kWeight,
           .from = From::kSampled,
           .value = OverheadWeight<kWhich>,
           .files = kCsv,
           .meaning =
               std::string("`overhead_cpu_ns`, ") + analyze::OverheadName(static_cast<analyze::Overhead>(kWhich))}...};
}

template <int... kWhich>
LossGroup GainColumns(std::integer_sequence<int, kWhich...>) {
  return {
      {.key = "gain_" + Underscored(analyze::CauseName(static_cast<analyze::Cause>(kWhich))) + "_ns",
       .unit = Unit::kNs,
       .from = From::kComputed,
       .value = GainNs<kWhich>,
       .files = kCsv,
       .meaning = std::string("`potential_gain_ns`, ") + analyze::CauseName(static_cast<analyze::Cause>(kWhich))}...};
}

void JsonOverhead(const RegionRow& row, JsonWriter* json) {
  json->BeginObject();
  for (int i = 0; i < analyze::kOverheads; ++i)
    json->Member(analyze::OverheadName(static_cast<analyze::Overhead>(i)), row.region.overhead_weight[i]);
  json->EndObject();
}

void JsonGains(const RegionRow& row, JsonWriter* json) {
  json->BeginObject();
  for (int i = 0; i < analyze::kCauses; ++i)
    json->Member(analyze::CauseName(static_cast<analyze::Cause>(i)), row.gains.ns[i]);
  json->EndObject();
}

Value InRuntime(const RegionRow& row) {
  uint64_t runtime = 0;
  for (const uint64_t weight : row.region.overhead_weight) runtime += weight;
  return runtime;
}

LossGroup Runtime() {
  return {
      {.key = "overhead_cpu_ns",
       .heading = "runtime",
       .unit = Unit::kObject,
       .from = From::kSampled,
       .detail = {110, 6},
       .files = kJson,
       .cell = [](const RegionRow& row) -> Cell {
         return Weight(std::get<uint64_t>(InRuntime(row)), WeighsNanoseconds(row.view));
       },
       .json = JsonOverhead,
       .meaning = "CPU time in the runtime in no state of waiting, by the program's purpose in calling it: `fork and "
                  "join`, `scheduling`, `tasking`, `synchronization`, `other`; in text their sum"},
  };
}

LossGroup LossMpi() {
  return {
      {.key = "mpi_cpu_ns",
       .heading = "in MPI",
       .unit = Unit::kWeight,
       .from = From::kSampled,
       .value = [](const RegionRow& row) -> Value { return row.region.mpi_weight; },
       .detail = {115, 9},
       .meaning = "CPU time in MPI in no state of waiting: in neither `useful_ns` nor `overhead_cpu_ns`"},
  };
}

LossGroup Own() {
  return {
      {.key = "ompprof_cpu_ns",
       .heading = "ompprof",
       .unit = Unit::kWeight,
       .from = From::kSampled,
       .value = [](const RegionRow& row) -> Value { return row.region.own_weight; },
       .detail = {120, 10},
       .meaning = "CPU time in the profiler's own code: in neither `useful_ns` nor `overhead_cpu_ns`"},
  };
}

Cell MostCell(const RegionRow& row) {
  const uint64_t* most = std::max_element(row.gains.ns, row.gains.ns + analyze::kCauses);
  if (!IsMeasured(row) || *most == 0) return "";
  return analyze::CauseTitle(static_cast<analyze::Cause>(most - row.gains.ns));
}

LossGroup Gains() {
  return {
      {.key = "potential_gain_ns",
       .unit = Unit::kObject,
       .from = From::kComputed,
       .files = kJson,
       .json = JsonGains,
       .meaning = "wall time that the run would save without one cause of loss, all else unchanged: `imbalance`, "
                  "`serialization` (locks), `task_wait` (exact, bounded by sampled CPU time), `fork_join`, "
                  "`scheduling`, `tasking` (sampled)"},
      {.key = "gain_ns",
       .heading = "could save",
       .unit = Unit::kNs,
       .from = From::kComputed,
       .value = [](const RegionRow& row) -> Value { return row.gains.total(); },
       .detail = {130},
       .page = 60,
       .files = 0,
       .estimate = EstimateOfWaits,
       .derived = true,
       .known = IsMeasured,
       .meaning = "wall time that the run would save without its losses (imbalance, locks, tasks, runtime), each by "
                  "itself, added up"},
      {.key = "gain_share",
       .unit = Unit::kShare,
       .detail = {140},
       .files = 0,
       .cell = [](const RegionRow& row) -> Cell {
         return IsMeasured(row) ? ShareCell(row.gains.total(), row.duration_ns) : Cell("-");
       }},
      {.key = "gain_most", .heading = "most of it", .detail = {150, 1}, .files = 0, .cell = MostCell},
  };
}

void JsonErrors(const RegionRow& row, JsonWriter* json) {
  const analyze::Region& region = row.region;
  json->BeginObject();
  json->Member("barrier_wait_ns", region.all_barriers_estimate().ci95_ns());
  json->Member("end_wait_ns", region.end_wait_estimate.ci95_ns());
  json->Member("task_wait_ns", region.task_wait_estimate.ci95_ns());
  json->Member("lock_wait_ns", region.lock_wait_estimate.ci95_ns());
  json->Member("useful_ns", region.wait_estimate().ci95_ns());
  json->EndObject();
}

Column<RegionRow> ErrorColumn(const char* key, const char* sum, Value (*value)(const RegionRow&)) {
  return {.key = key,
          .unit = Unit::kNs,
          .from = From::kComputed,
          .value = value,
          .files = kCsv,
          .meaning = std::string("`ci95.") + sum + "`"};
}

LossGroup LossErrors() {
  return {
      {.key = "estimated",
       .unit = Unit::kFlag,
       .value = [](const RegionRow& row) -> Value { return row.region.is_estimated(); },
       .meaning = "whether a sum of the region's waits is estimated in part"},
      {.key = "ci95",
       .unit = Unit::kObject,
       .from = From::kComputed,
       .files = kJson,
       .json = JsonErrors,
       .meaning = "errors of `barrier_wait_ns`, `end_wait_ns`, `task_wait_ns`, `lock_wait_ns` and `useful_ns`"},
      ErrorColumn("barrier_wait_ci95", "barrier_wait_ns",
                  [](const RegionRow& row) -> Value { return row.region.all_barriers_estimate().ci95_ns(); }),
      ErrorColumn("end_wait_ci95", "end_wait_ns",
                  [](const RegionRow& row) -> Value { return row.region.end_wait_estimate.ci95_ns(); }),
      ErrorColumn("task_wait_ci95", "task_wait_ns",
                  [](const RegionRow& row) -> Value { return row.region.task_wait_estimate.ci95_ns(); }),
      ErrorColumn("lock_wait_ci95", "lock_wait_ns",
                  [](const RegionRow& row) -> Value { return row.region.lock_wait_estimate.ci95_ns(); }),
      ErrorColumn("useful_ci95", "useful_ns",
                  [](const RegionRow& row) -> Value { return row.region.wait_estimate().ci95_ns(); }),
  };
}

}  // namespace

analyze::Estimate EstimateOfWaits(const RegionRow& row) {
  analyze::Estimate estimate = row.region.wait_estimate();
  if (row.region.is_estimated()) estimate.ns = std::max<uint64_t>(estimate.ns, 1);
  return estimate;
}

const std::vector<Column<RegionRow>>& RegionLossColumns() {
  static const LossGroup columns = AllOf({LossWaits(), OffCpu(), Useful(), Runtime(),
                                          OverheadColumns(std::make_integer_sequence<int, analyze::kOverheads>()),
                                          GainColumns(std::make_integer_sequence<int, analyze::kCauses>()), LossMpi(),
                                          Own(), Gains(), LossErrors()});
  return columns;
}

}  // namespace ompprof::report
