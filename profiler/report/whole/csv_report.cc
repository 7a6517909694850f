#include "profiler/report/whole/csv_report.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "profiler/analyze/account/devices.h"
#include "profiler/analyze/account/state_times.h"
#include "profiler/analyze/view/call_tree.h"
#include "profiler/analyze/view/omp_state.h"
#include "profiler/report/basics/csv_writer.h"
#include "profiler/report/basics/names_text.h"
#include "profiler/report/columns/device_columns.h"
#include "profiler/report/columns/function_columns.h"
#include "profiler/report/columns/lock_columns.h"
#include "profiler/report/columns/region_columns.h"
#include "profiler/report/columns/rows_csv.h"
#include "profiler/report/columns/state_columns.h"
#include "profiler/report/columns/target_columns.h"
#include "profiler/report/columns/thread_columns.h"
#include "profiler/report/columns/wait_columns.h"
#include "profiler/report/sections/advice.h"

namespace ompprof::report {
namespace {

const char* DimensionName(analyze::Dimension dimension) {
  switch (dimension) {
    case analyze::Dimension::kThread:
      return "thread";
    case analyze::Dimension::kRank:
      return "rank";
    case analyze::Dimension::kState:
      return "state";
    case analyze::Dimension::kRegion:
      return "region";
    case analyze::Dimension::kPhase:
      return "phase";
  }
  return "";
}

}  // namespace

std::string CsvFunctions(const analyze::View& view, const model::Symbolizer& symbolizer, bool lines,
                         std::optional<analyze::Dimension> by) {
  const std::vector<Column<FunctionRow>> columns = FunctionColumnsOf(view);
  std::vector<std::string> header = CsvHeader(columns, WeighingOf(view));
  const auto rows = [&](const std::vector<analyze::FunctionCost>& costs, const std::string* value, CsvWriter* csv) {
    for (const analyze::FunctionCost& cost : costs) {
      if (value != nullptr) csv->Text(*value);
      CsvRow(columns, FunctionRow{view, symbolizer, cost}, csv);
    }
  };
  if (!by) {
    CsvWriter csv(header);
    rows(analyze::FunctionCosts(analyze::BuildCallTree(view, lines)), nullptr, &csv);
    return csv.text();
  }
  header.insert(header.begin(), DimensionName(*by));
  CsvWriter csv(header);
  for (const analyze::Slice& slice : analyze::BreakDown(view, *by, lines, analyze::Metric::kWeight))
    rows(slice.functions, &slice.name, &csv);
  return csv.text();
}

// The table has the columns of parallel regions, and then those that only target constructs have.
std::string CsvRegions(const analyze::View& view) {
  const auto name = [](const auto& column) { return column.csv.empty() ? column.key : column.csv; };
  const auto is_csv = [](const auto& column) { return (column.files & kCsv) != 0; };
  const std::vector<Column<RegionRow>> columns = RegionColumnsOf(view);
  std::map<std::string, const Column<TargetRow>*> of_targets;
  std::vector<Column<TargetRow>> others;
  for (const Column<TargetRow>& column : TargetColumns()) {
    const bool shared = std::any_of(columns.begin(), columns.end(), [&](const auto& region_column) {
      return is_csv(region_column) && name(region_column) == name(column);
    });
    if (shared)
      of_targets[name(column)] = &column;
    else
      others.push_back(column);
  }
  std::vector<std::string> header = CsvHeader(columns, WeighingOf(view));
  for (const std::string& more : CsvHeader(others, WeighingOf(view))) header.push_back(more);
  CsvWriter csv(header);
  for (const analyze::Region& region : view.regions) {
    const RegionRow row = RowOf(view, region);
    for (const Column<RegionRow>& column : columns) {
      if (is_csv(column)) CsvCell(column.value(row), column.unit, &csv);
    }
    for (const Column<TargetRow>& column : others) CsvCell(Value(), column.unit, &csv);
    csv.End();
  }
  for (const analyze::TargetConstruct& target : analyze::TargetConstructs(view)) {
    const TargetRow row{view, target};
    for (const Column<RegionRow>& column : columns) {
      if (!is_csv(column)) continue;
      const auto known = of_targets.find(name(column));
      CsvCell(known == of_targets.end() ? Value() : known->second->value(row), column.unit, &csv);
    }
    CsvRow(others, row, &csv);
  }
  return csv.text();
}

std::string CsvThreads(const analyze::View& view, const analyze::Summary& summary) {
  CsvWriter csv(CsvHeader(ThreadColumns(), WeighingOf(view)));
  for (const analyze::ThreadCost& thread : summary.threads) CsvRow(ThreadColumns(), ThreadRow{view, thread}, &csv);
  return csv.text();
}

std::string CsvLocks(const analyze::View& view, const analyze::Locks& locks) {
  CsvWriter csv(CsvHeader(LockColumns(), WeighingOf(view)));
  for (const analyze::Lock& lock : locks.locks) CsvRow(LockColumns(), LockRow{view, locks, lock}, &csv);
  return csv.text();
}

std::string CsvWaits(const analyze::View& view) {
  CsvWriter csv(CsvHeader(WaitColumns(), WeighingOf(view)));
  for (const analyze::WaitTotal& wait : view.waits) {
    if (!wait.charge) CsvRow(WaitColumns(), WaitRow{view, wait}, &csv);
  }
  return csv.text();
}

std::string CsvDevices(const analyze::View& view) {
  CsvWriter csv(CsvHeader(DeviceColumns(), WeighingOf(view)));
  for (const analyze::DeviceWorkTotal& work : view.device_work) CsvRow(DeviceColumns(), DeviceRow{view, work}, &csv);
  return csv.text();
}

std::string CsvStates(const analyze::View& view) {
  CsvWriter csv(CsvHeader(StateColumns(), WeighingOf(view)));
  const analyze::StateTimes times = analyze::MeasureStates(view);
  for (const analyze::ThreadStates& thread : times.threads) {
    for (size_t i = 0; i < times.names.size(); ++i) {
      if (IsUsed(thread.times[i]))
        CsvRow(StateColumns(), StateRow{view, times.names[i], thread.times[i], /*thread=*/&thread}, &csv);
    }
  }
  return csv.text();
}

}  // namespace ompprof::report
