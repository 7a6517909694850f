#include "profiler/report/columns/wait_columns.h"

#include "profiler/analyze/view/omp_state.h"
#include "profiler/analyze/view/state_kind.h"
#include "profiler/report/basics/names_text.h"
#include "profiler/report/basics/units.h"
#include "profiler/report/columns/estimate_columns.h"

namespace ompprof::report {
namespace {

using Cell = TextTable::Cell;
using Fit = TextTable::Fit;
using WaitGroup = std::vector<Column<WaitRow>>;

analyze::Estimate EstimateOf(const WaitRow& row) { return row.wait.estimate; }

// The count of waits for locks is estimated too, because only the waits in observed windows are counted.
analyze::Estimate EstimateOfCount(const WaitRow& row) {
  return analyze::KindOf(row.wait.state) == analyze::StateKind::kLock ? row.wait.estimate : analyze::Estimate();
}

std::string StateName(const WaitRow& row) {
  return analyze::StateName(row.view.run.process(row.wait.process), row.wait.state);
}

WaitGroup WaitIdentity() {
  return {
      {.key = "process",
       .unit = Unit::kNumber,
       .value = [](const WaitRow& row) -> Value { return row.view.run.process(row.wait.process).pid; },
       .meaning = "pid"},
      {.key = "thread",
       .unit = Unit::kNumber,
       .value = [](const WaitRow& row) -> Value { return uint64_t{row.wait.thread}; },
       .meaning = "`threads[].id`; in text all threads together"},
      {.key = "state",
       .heading = "for",
       .from = From::kExact,
       .value = [](const WaitRow& row) -> Value { return StateName(row); },
       .text = {50, 0, Fit::kShorten},
       .cell = [](const WaitRow& row) -> Cell { return StateText(StateName(row), *row.options); },
       .meaning = "as in `states`; `ompt_state_idle`: a worker between regions"},
      {.key = "at",
       .heading = "at",
       .value = [](const WaitRow& row) -> Value { return PlaceText(row.view, row.wait.place); },
       .text = {60, 0, Fit::kShorten},
       .cell = [](const WaitRow& row) -> Cell {
         const std::string place = PlaceText(row.view, row.wait.place);
         const bool lines = !row.view.frames.function(row.wait.place.function).file.empty();
         return row.options->full_names || lines ? place : row.view.frames.ShortName(place);
       },
       .meaning = "`file:line` of the construct that waits, its function where lines are not known; empty: the runtime "
                  "does not say"},
      {.key = "region",
       .heading = "region",
       .value = [](const WaitRow& row) -> Value {
         return row.wait.region == analyze::kNoFunction ? "" : row.view.frames.function(row.wait.region).name;
       },
       .text = {70, 0, Fit::kShorten},
       .cell = [](const WaitRow& row) -> Cell { return NameText(row.view, row.wait.region, *row.options); },
       .meaning = "the innermost region's `name`; empty: none"},
      {.key = "wait_id",
       .unit = Unit::kNumber,
       .from = From::kExact,
       .value = [](const WaitRow& row) -> Value { return row.wait.wait_id; },
       .meaning = "for a lock: OMPT's number of the lock; else 0"},
  };
}

WaitGroup WaitFigures() {
  return {
      {.key = "count",
       .heading = "count",
       .unit = Unit::kCount,
       .from = From::kExact,
       .value = [](const WaitRow& row) -> Value { return row.wait.count; },
       .text = {30, 2},
       .csv = "waits",
       .estimate = EstimateOfCount,
       .meaning = "number of waits, short waits included"},
      {.key = "wait_ns",
       .heading = "waited",
       .unit = Unit::kNs,
       .from = From::kExact,
       .value = [](const WaitRow& row) -> Value { return row.wait.total_ns; },
       .text = {10},
       .estimate = EstimateOf,
       .meaning = "wall time of the waits"},
      {.key = "share",
       .heading = "share",
       .unit = Unit::kShare,
       .text = {20},
       .files = 0,
       .cell = [](const WaitRow& row) { return ShareCell(row.wait.total_ns, row.waited_ns); }},
      {.key = "max_ns",
       .heading = "longest",
       .unit = Unit::kNs,
       .from = From::kExact,
       .value = [](const WaitRow& row) -> Value { return row.wait.max_ns; },
       .text = {40, 3},
       .meaning = "the longest wait"},
      {.key = "last_count",
       .unit = Unit::kCount,
       .from = From::kExact,
       .value = [](const WaitRow& row) -> Value { return row.wait.last_count; },
       .meaning = "for a barrier: how often this thread came last"},
      {.key = "last_by_ns",
       .unit = Unit::kNs,
       .from = From::kExact,
       .value = [](const WaitRow& row) -> Value { return row.wait.last_by_ns; },
       .meaning = "how much later than the previous thread this thread came then, added up"},
      {.key = "last",
       .heading = "came last",
       .text = {80, 1, Fit::kShorten},
       .files = 0,
       .cell = [](const WaitRow& row) -> Cell { return row.last_text; }},
  };
}

}  // namespace

const std::vector<Column<WaitRow>>& WaitColumns() {
  static const WaitGroup columns =
      AllOf({WaitIdentity(), WaitFigures(), EstimateColumns<WaitRow, EstimateOf>("wait_ns")});
  return columns;
}

}  // namespace ompprof::report
