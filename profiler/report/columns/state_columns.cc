#include "profiler/report/columns/state_columns.h"

#include <map>

#include "profiler/report/basics/names_text.h"
#include "profiler/report/basics/units.h"
#include "profiler/report/columns/estimate_columns.h"
#include "profiler/report/columns/rows_json.h"

namespace ompprof::report {
namespace {

using Cell = TextTable::Cell;
using Fit = TextTable::Fit;
using StateGroup = std::vector<Column<StateRow>>;

analyze::Estimate EstimateOf(const StateRow& row) { return row.time.estimate; }

StateGroup StateIdentity() {
  return {
      {.key = "process",
       .unit = Unit::kNumber,
       .value = [](const StateRow& row) -> Value { return row.view.run.process(row.thread->process).pid; },
       .files = kCsv,
       .meaning = "pid"},
      {.key = "thread",
       .unit = Unit::kNumber,
       .value = [](const StateRow& row) -> Value { return uint64_t{row.thread->thread}; },
       .files = kCsv,
       .meaning = "`threads[].id`: a row for each thread and state"},
      {.key = "state",
       .heading = "state",
       .value = [](const StateRow& row) -> Value { return row.name; },
       .text = {80, 0, Fit::kShorten},
       .detail = {80, 0, Fit::kShorten},
       .page = 10,
       .files = kCsv,
       .cell = [](const StateRow& row) -> Cell { return StateText(row.name, *row.options); },
       .meaning = "the OpenMP state of a thread, as the OpenMP tools interface names it: `NAME`; in text and on the "
                  "page in plain words"},
  };
}

StateGroup Sampled() {
  return {
      {.key = "cpu_ns",
       .heading = "CPU",
       .unit = Unit::kWeight,
       .from = From::kSampled,
       .value = [](const StateRow& row) -> Value { return row.time.weight; },
       .text = {10},
       .detail = {10},
       .page = 20,
       .meaning = "CPU time in the state; nearly none in a wait that sleeps"},
      {.key = "share",
       .heading = "share",
       .unit = Unit::kShare,
       .text = {20},
       .detail = {20},
       .files = 0,
       .cell = [](const StateRow& row) { return ShareCell(row.time.weight, row.view.total_weight); }},
      {.key = "error",
       .heading = "±",
       .unit = Unit::kShare,
       .text = {30, 1},
       .detail = {30, 2},
       .files = 0,
       .cell = [](const StateRow& row) -> Cell { return ErrorText(row.view, row.time.weight); }},
      {.key = "samples",
       .heading = "samples",
       .unit = Unit::kCount,
       .from = From::kSampled,
       .value = [](const StateRow& row) -> Value { return row.time.samples; },
       .text = {40},
       .detail = {40, 1},
       .meaning = "samples in the state"},
  };
}

StateGroup StateWaits() {
  return {
      {.key = "wait_ns",
       .heading = "waited",
       .unit = Unit::kNs,
       .from = From::kExact,
       .value = [](const StateRow& row) -> Value {
         if (!row.view.selection.knows_waits()) return {};
         return row.time.wait_ns;
       },
       .detail = {50},
       .page = 30,
       .estimate = EstimateOf,
       .cell = [](const StateRow& row) -> Cell {
         return row.time.wait_count > 0 ? Measured(row.time.wait_ns, row.time.estimate) : "";
       },
       .meaning = "thread time of waits of this kind, spinning or asleep; `ompt_state_idle`: workers between regions"},
      {.key = "wait_share",
       .heading = "share",
       .unit = Unit::kShare,
       .detail = {60},
       .files = 0,
       .cell = [](const StateRow& row) -> Cell {
         return row.time.wait_count > 0 ? Share(row.time.wait_ns, row.waited_ns) : "";
       }},
      {.key = "waits",
       .heading = "waits",
       .unit = Unit::kCount,
       .from = From::kExact,
       .value = [](const StateRow& row) -> Value { return row.time.wait_count; },
       .detail = {70, 3},
       .files = kCsv,
       .cell = [](const StateRow& row) -> Cell { return row.time.wait_count > 0 ? Count(row.time.wait_count) : ""; },
       .meaning = "number of waits of this kind"},
  };
}

}  // namespace

const std::vector<Column<StateRow>>& StateColumns() {
  static const StateGroup columns =
      AllOf({StateIdentity(), Sampled(), StateWaits(), EstimateColumns<StateRow, EstimateOf>("wait_ns")});
  return columns;
}

bool IsUsed(const analyze::StateTime& time) { return time.samples != 0 || time.weight != 0 || time.wait_count != 0; }

void JsonStates(const analyze::View& view, const std::vector<std::string>& names,
                const std::vector<analyze::StateTime>& times, JsonWriter* json) {
  std::map<std::string, const analyze::StateTime*> sorted;
  for (size_t i = 0; i < times.size(); ++i) {
    if (IsUsed(times[i])) sorted[names[i]] = &times[i];
  }
  json->BeginObject();
  for (const auto& [name, time] : sorted) {
    json->Key(name);
    json->BeginObject();
    JsonMembers(StateColumns(), StateRow{view, name, *time}, json);
    json->EndObject();
  }
  json->EndObject();
}

}  // namespace ompprof::report
