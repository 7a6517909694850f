#include "profiler/report/columns/function_columns.h"

#include <string>
#include <utility>

#include "profiler/analyze/view/confidence.h"
#include "profiler/report/basics/names_text.h"
#include "profiler/report/basics/units.h"
#include "profiler/report/columns/count_columns.h"

namespace ompprof::report {
namespace {

using analyze::Cost;
using analyze::Estimate;
using Cell = TextTable::Cell;
using Fit = TextTable::Fit;
using FunctionGroup = std::vector<Column<FunctionRow>>;

const analyze::ViewFunction& FunctionOf(const FunctionRow& row) { return row.view.frames.function(row.cost.function); }

Cell NameCell(const FunctionRow& row) {
  std::string name = PlacedName(row.view, row.cost.function, row.cost.line, row.symbolizer, *row.options);
  const Color color = NameColor(name);
  return {std::move(name), color};
}

Cell AmountCell(const FunctionRow& row, const Cost& cost) { return CostText(row.view, row.options->metric, cost); }
uint64_t Amount(const FunctionRow& row, const Cost& cost) { return analyze::CostIn(cost, row.options->metric); }
uint64_t Whole(const FunctionRow& row) { return analyze::Total(row.view, row.options->metric); }

FunctionGroup FunctionIdentity() {
  return {
      {.key = "name",
       .heading = "function",
       .value = [](const FunctionRow& row) -> Value { return FunctionOf(row).name; },
       .text = {70, 0, Fit::kShorten},
       .page = 50,
       .cell = NameCell,
       .meaning = "as demangled; constructs and waits as [constructs](../analyze/README.md)"},
      {.key = "file",
       .heading = "where",
       .value = [](const FunctionRow& row) -> Value { return FunctionOf(row).file; },
       .page = 60,
       .meaning = "file of its declaration"},
      {.key = "line",
       .unit = Unit::kNumber,
       .value = [](const FunctionRow& row) -> Value {
         return uint64_t{row.cost.line != 0 ? row.cost.line : FunctionOf(row).line};
       },
       .meaning = "line of its declaration; in CSV with `--lines`, the line with the cost"},
      {.key = "module",
       .value = [](const FunctionRow& row) -> Value { return row.symbolizer.objects()[FunctionOf(row).object].path; },
       .meaning = "path of the file that holds its code"},
  };
}

FunctionGroup Weights() {
  return {
      {.key = "self_cpu_ns",
       .heading = "self",
       .unit = Unit::kWeight,
       .from = From::kSampled,
       .value = [](const FunctionRow& row) -> Value { return row.cost.self.weight; },
       .text = {10},
       .page = 10,
       .cell = [](const FunctionRow& row) { return AmountCell(row, row.cost.self); },
       .meaning = "CPU time of the function itself; in text, in the unit of `--metric`"},
      {.key = "self_share",
       .unit = Unit::kShare,
       .text = {20},
       .files = 0,
       .cell = [](const FunctionRow& row) { return ShareCell(Amount(row, row.cost.self), Whole(row)); }},
      {.key = "self_cpu_error_ns",
       .heading = "±",
       .unit = Unit::kWeight,
       .from = From::kComputed,
       .value = [](const FunctionRow& row) -> Value { return analyze::WeightError(row.view, row.cost.self.weight); },
       .text = {30, 1},
       .cell = [](const FunctionRow& row) -> Cell { return ErrorText(row.view, row.cost.self.weight); },
       .meaning = "its error"},
      {.key = "total_cpu_ns",
       .heading = "total",
       .unit = Unit::kWeight,
       .from = From::kSampled,
       .value = [](const FunctionRow& row) -> Value { return row.cost.total.weight; },
       .text = {40},
       .page = 20,
       .cell = [](const FunctionRow& row) { return AmountCell(row, row.cost.total); },
       .meaning = "CPU time with the called functions; in text, in the unit of `--metric`"},
      {.key = "total_share",
       .unit = Unit::kShare,
       .text = {50},
       .files = 0,
       .cell = [](const FunctionRow& row) -> Cell { return Share(Amount(row, row.cost.total), Whole(row)); }},
      {.key = "total_cpu_error_ns",
       .heading = "±",
       .unit = Unit::kWeight,
       .from = From::kComputed,
       .value = [](const FunctionRow& row) -> Value { return analyze::WeightError(row.view, row.cost.total.weight); },
       .text = {60, 2},
       .cell = [](const FunctionRow& row) -> Cell { return ErrorText(row.view, row.cost.total.weight); },
       .meaning = "its error"},
      {.key = "self_samples",
       .unit = Unit::kCount,
       .from = From::kSampled,
       .value = [](const FunctionRow& row) -> Value { return row.cost.self.samples; },
       .meaning = "samples of the function itself"},
      {.key = "total_samples",
       .unit = Unit::kCount,
       .from = From::kSampled,
       .value = [](const FunctionRow& row) -> Value { return row.cost.total.samples; },
       .meaning = "samples with the called functions"},
  };
}

FunctionGroup FunctionWaits() {
  return {
      {.key = "wait_ns",
       .heading = "waited",
       .unit = Unit::kNs,
       .from = From::kExact,
       .value = [](const FunctionRow& row) -> Value { return row.cost.self.wait; },
       .page = 30,
       .estimate = [](const FunctionRow& row) { return row.cost.self.wait_estimate(); },
       .meaning = "wall time of waits of a sampling period or more in the function. Shorter waits are in `<waits "
                  "shorter than a "
                  "sampling period>`, below their region"},
      {.key = "blame_ns",
       .heading = "blame",
       .unit = Unit::kNs,
       .from = From::kPlaced,
       .value = [](const FunctionRow& row) -> Value { return row.cost.self.all_blame(); },
       .page = 40,
       .estimate = [](const FunctionRow& row) { return row.cost.self.blame_estimate(); },
       .meaning = "thread time that other threads waited while this code worked, or held a lock"},
      {.key = "total_blame_ns",
       .unit = Unit::kNs,
       .from = From::kPlaced,
       .value = [](const FunctionRow& row) -> Value { return row.cost.total.all_blame(); },
       .estimate = [](const FunctionRow& row) { return row.cost.total.blame_estimate(); },
       .meaning = "`blame_ns` with the called functions"},
  };
}

bool IsEstimated(const FunctionRow& row) {
  return row.cost.total.wait_estimate().any() || row.cost.total.blame_estimate().any();
}

Value IfEstimated(const FunctionRow& row) {
  if (!IsEstimated(row)) return {};
  return true;
}

void JsonErrors(const FunctionRow& row, JsonWriter* json) {
  json->BeginObject();
  json->Member("wait_ns", row.cost.self.wait_estimate().ci95_ns());
  json->Member("blame_ns", row.cost.self.blame_estimate().ci95_ns());
  json->Member("total_blame_ns", row.cost.total.blame_estimate().ci95_ns());
  json->EndObject();
}

Column<FunctionRow> ErrorColumn(const char* key, const char* sum, Value (*value)(const FunctionRow&)) {
  return {.key = key,
          .unit = Unit::kNs,
          .from = From::kComputed,
          .value = value,
          .files = kCsv,
          .meaning = std::string("`ci95.") + sum + "`"};
}

FunctionGroup FunctionErrors() {
  return {
      {.key = "estimated",
       .unit = Unit::kFlag,
       .from = From::kComputed,
       .value = IfEstimated,
       .files = kJson,
       .meaning = "only if one of these sums is estimated"},
      {.key = "ci95",
       .unit = Unit::kObject,
       .from = From::kComputed,
       .value = IfEstimated,
       .files = kJson,
       .json = JsonErrors,
       .meaning = "likewise: errors of `wait_ns`, `blame_ns` and `total_blame_ns`"},
      ErrorColumn("wait_ci95", "wait_ns",
                  [](const FunctionRow& row) -> Value { return row.cost.self.wait_estimate().ci95_ns(); }),
      ErrorColumn("blame_ci95", "blame_ns",
                  [](const FunctionRow& row) -> Value { return row.cost.self.blame_estimate().ci95_ns(); }),
      ErrorColumn("total_blame_ci95", "total_blame_ns",
                  [](const FunctionRow& row) -> Value { return row.cost.total.blame_estimate().ci95_ns(); }),
  };
}

const analyze::Counts& OwnCounts(const FunctionRow& row) { return row.cost.self.counts; }
using OwnCountColumns = CountColumns<FunctionRow, OwnCounts>;

FunctionGroup TotalCounts() {
  return {
      {.key = "total_counts",
       .unit = Unit::kObject,
       .from = From::kSampled,
       .value = [](const FunctionRow& row) -> Value { return row.view.counted.empty() ? Value() : Value(true); },
       .files = kJson,
       .json = [](const FunctionRow& row, JsonWriter* json) { JsonCounts(row.view, row.cost.total.counts, json); },
       .meaning = "`counts` with the called functions"},
  };
}

}  // namespace

const std::vector<Column<FunctionRow>>& FunctionColumns() {
  static const FunctionGroup columns = AllOf({FunctionIdentity(), Weights(), FunctionWaits(), FunctionErrors(),
                                              OwnCountColumns::Members("the function itself"), TotalCounts()});
  return columns;
}

std::vector<Column<FunctionRow>> FunctionColumnsOf(const analyze::View& view) {
  constexpr int kBeforeName = 65;
  return AllOf({FunctionColumns(), OwnCountColumns::Of(view, kBeforeName)});
}

}  // namespace ompprof::report
