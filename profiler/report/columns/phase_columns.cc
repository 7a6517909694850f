#include "profiler/report/columns/phase_columns.h"

#include "profiler/report/basics/names_text.h"
#include "profiler/report/basics/units.h"
#include "profiler/report/columns/estimate_columns.h"

namespace ompprof::report {
namespace {

using analyze::Cost;
using Cell = TextTable::Cell;
using Fit = TextTable::Fit;
using PhaseGroup = std::vector<Column<PhaseRow>>;

analyze::Estimate EstimateOf(const PhaseRow& row) { return row.phase.self.wait_estimate(); }

PhaseGroup PhaseFigures() {
  return {
      {.key = "name",
       .heading = "phase",
       .value = [](const PhaseRow& row) -> Value { return row.phase.name; },
       .text = {60, 0, Fit::kShorten},
       .page = 10,
       .files = 0,
       .cell = [](const PhaseRow& row) -> Cell {
         return row.phase.name.empty() ? "(no phase)" : Printable(row.phase.name);
       },
       .meaning = "the label that the program pushed (`ompprof_push_label`): `NAME`"},
      {.key = "cpu_ns",
       .heading = "own",
       .unit = Unit::kWeight,
       .from = From::kSampled,
       .value = [](const PhaseRow& row) -> Value { return row.phase.self.weight; },
       .text = {30, 1},
       .page = 30,
       .meaning = "CPU time in the phase, without the phases inside it"},
      {.key = "total_cpu_ns",
       .heading = "CPU",
       .unit = Unit::kWeight,
       .from = From::kSampled,
       .value = [](const PhaseRow& row) -> Value { return row.phase.total.weight; },
       .text = {10},
       .page = 20,
       .meaning = "CPU time with the phases inside it"},
      {.key = "share",
       .heading = "share",
       .unit = Unit::kShare,
       .text = {20},
       .files = 0,
       .cell = [](const PhaseRow& row) { return ShareCell(row.phase.total.weight, row.view.total_weight); }},
  };
}

PhaseGroup CountsAndWaits() {
  return {
      {.key = "samples",
       .unit = Unit::kCount,
       .from = From::kSampled,
       .value = [](const PhaseRow& row) -> Value { return row.phase.self.samples; },
       .meaning = "as `cpu_ns`"},
      {.key = "total_samples",
       .heading = "samples",
       .unit = Unit::kCount,
       .value = [](const PhaseRow& row) -> Value { return row.phase.total.samples; },
       .text = {40, 2},
       .files = 0},
      {.key = "total_wait",
       .heading = "long waits",
       .unit = Unit::kNs,
       .text = {50, 3},
       .files = 0,
       .cell = [](const PhaseRow& row) -> Cell {
         const Cost& total = row.phase.total;
         return total.wait == 0 ? "" : Measured(total.wait, total.wait_estimate());
       }},
      {.key = "wait_ns",
       .heading = "long waits",
       .unit = Unit::kNs,
       .from = From::kExact,
       .value = [](const PhaseRow& row) -> Value { return row.phase.self.wait; },
       .page = 40,
       .estimate = EstimateOf,
       .meaning = "thread time of waits of a sampling period or more that ended in the phase; the wait at a region's "
                  "end belongs to the phase that began the region"},
  };
}

}  // namespace

const std::vector<Column<PhaseRow>>& PhaseColumns() {
  static const PhaseGroup columns =
      AllOf({PhaseFigures(), CountsAndWaits(), EstimateColumns<PhaseRow, EstimateOf>("wait_ns")});
  return columns;
}

}  // namespace ompprof::report
