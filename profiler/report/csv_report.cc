#include "profiler/report/csv_report.h"

#include <vector>

#include "profiler/analyze/call_tree.h"
#include "profiler/analyze/omp_state.h"
#include "profiler/analyze/state_times.h"
#include "profiler/report/advice_text.h"
#include "profiler/report/columns/device_columns.h"
#include "profiler/report/columns/function_columns.h"
#include "profiler/report/columns/lock_columns.h"
#include "profiler/report/columns/region_columns.h"
#include "profiler/report/columns/rows_csv.h"
#include "profiler/report/columns/state_columns.h"
#include "profiler/report/columns/thread_columns.h"
#include "profiler/report/columns/wait_columns.h"
#include "profiler/report/csv_writer.h"
#include "profiler/report/names_text.h"

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
  std::vector<std::string> header = CsvHeader(FunctionColumns(), WeighingOf(view));
  const auto rows = [&](const std::vector<analyze::FunctionCost>& costs, const std::string* value, CsvWriter* csv) {
    for (const analyze::FunctionCost& cost : costs) {
      if (value != nullptr) csv->Text(*value);
      CsvRow(FunctionColumns(), FunctionRow{view, symbolizer, cost}, csv);
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

std::string CsvRegions(const analyze::View& view) {
  CsvWriter csv(CsvHeader(RegionColumns(), WeighingOf(view)));
  for (const analyze::Region& region : view.regions) CsvRow(RegionColumns(), RowOf(view, region), &csv);
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
