#include "profiler/report/csv_report.h"

#include <algorithm>
#include <vector>

#include "profiler/analyze/call_tree.h"
#include "profiler/analyze/confidence.h"
#include "profiler/analyze/omp_state.h"
#include "profiler/analyze/state_times.h"
#include "profiler/report/advice_text.h"
#include "profiler/report/columns/lock_columns.h"
#include "profiler/report/columns/region_columns.h"
#include "profiler/report/columns/rows_csv.h"
#include "profiler/report/csv_writer.h"
#include "profiler/report/names_text.h"

namespace ompprof::report {
namespace {

// A column of sample weights, its unit at its end: "self_cpu_ns", "self_cpu_error_ns", "self_wall_ns", "self_events".
std::string WeightColumn(const analyze::View& view, const std::string& prefix, const std::string& what = "") {
  const bool ns = WeighsNanoseconds(view);
  std::string name;
  for (const std::string& part : {prefix,
                                  std::string(!ns                           ? ""
                                              : WeightTitle(view) == "wall" ? "wall"
                                                                            : "cpu"),
                                  what, std::string(ns ? "ns" : "events")}) {
    if (!part.empty()) name += (name.empty() ? "" : "_") + part;
  }
  return name;
}

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

// 1 or 0, and nanoseconds: of a row's one sum of waits.
void Estimated(const analyze::Estimate& estimate, CsvWriter* csv) {
  csv->Number(uint64_t{estimate.any()}).Number(estimate.ci95_ns());
}

void FunctionRow(const analyze::View& view, const model::Symbolizer& symbolizer, const analyze::FunctionCost& cost,
                 CsvWriter* csv) {
  const analyze::ViewFunction& function = view.frames.function(cost.function);
  csv->Text(function.name)
      .Text(function.file)
      .Number(uint64_t{cost.line != 0 ? cost.line : function.line})
      .Text(symbolizer.objects()[function.object].path)
      .Number(cost.self.weight)
      .Number(analyze::WeightError(view, cost.self.weight))
      .Number(cost.total.weight)
      .Number(analyze::WeightError(view, cost.total.weight))
      .Number(cost.self.samples)
      .Number(cost.total.samples)
      .Number(cost.self.wait)
      .Number(cost.self.all_blame())
      .Number(cost.total.all_blame())
      .Number(cost.self.wait_estimate().ci95_ns())
      .Number(cost.self.blame_estimate().ci95_ns())
      .Number(cost.total.blame_estimate().ci95_ns());
  csv->End();
}

}  // namespace

std::string CsvFunctions(const analyze::View& view, const model::Symbolizer& symbolizer, bool lines,
                         std::optional<analyze::Dimension> by) {
  std::vector<std::string> header = {"name",
                                     "file",
                                     "line",
                                     "module",
                                     WeightColumn(view, "self"),
                                     WeightColumn(view, "self", "error"),
                                     WeightColumn(view, "total"),
                                     WeightColumn(view, "total", "error"),
                                     "self_samples",
                                     "total_samples",
                                     "wait_ns",
                                     "blame_ns",
                                     "total_blame_ns",
                                     "wait_ci95",
                                     "blame_ci95",
                                     "total_blame_ci95"};
  if (!by) {
    CsvWriter csv(header);
    for (const analyze::FunctionCost& cost : analyze::FunctionCosts(analyze::BuildCallTree(view, lines)))
      FunctionRow(view, symbolizer, cost, &csv);
    return csv.text();
  }
  header.insert(header.begin(), DimensionName(*by));
  CsvWriter csv(header);
  for (const analyze::Slice& slice : analyze::BreakDown(view, *by, lines, analyze::Metric::kWeight)) {
    for (const analyze::FunctionCost& cost : slice.functions) {
      csv.Text(slice.name);
      FunctionRow(view, symbolizer, cost, &csv);
    }
  }
  return csv.text();
}

std::string CsvRegions(const analyze::View& view) {
  CsvWriter csv(CsvHeader(RegionColumns(), WeighingOf(view)));
  for (const analyze::Region& region : view.regions) CsvRow(RegionColumns(), RowOf(view, region), &csv);
  return csv.text();
}

std::string CsvThreads(const analyze::View& view, const analyze::Summary& summary) {
  CsvWriter csv({"process", "thread", "tid", "name", "kind", "clock_cpu_ns", "samples", WeightColumn(view, "sampled"),
                 WeightColumn(view, "work"), WeightColumn(view, "wait"), WeightColumn(view, "overhead"),
                 WeightColumn(view, "idle"), WeightColumn(view, "no_state"), WeightColumn(view, "ompprof")});
  for (const analyze::ThreadCost& thread : summary.threads) {
    csv.Number(view.run.process(thread.process).pid)
        .Number(uint64_t{thread.id})
        .Number(thread.thread.tid)
        .Text(thread.thread.name)
        .Text(analyze::ThreadKindName(thread.thread.kind))
        .Number(thread.thread.cpu_ns)
        .Number(thread.cost.samples)
        .Number(thread.cost.weight);
    for (const analyze::Cost& cost : thread.by_activity) csv.Number(cost.weight);
    csv.End();
  }
  return csv.text();
}

std::string CsvLocks(const analyze::View& view, const analyze::Locks& locks) {
  CsvWriter csv(CsvHeader(LockColumns(), WeighingOf(view)));
  for (const analyze::Lock& lock : locks.locks) CsvRow(LockColumns(), LockRow{view, locks, lock}, &csv);
  return csv.text();
}

std::string CsvWaits(const analyze::View& view) {
  CsvWriter csv({"process", "thread", "state", "at", "region", "wait_id", "waits", "wait_ns", "max_ns", "last_count",
                 "last_by_ns", "estimated", "ci95"});
  for (const analyze::WaitTotal& wait : view.waits) {
    if (wait.charge) continue;
    csv.Number(view.run.process(wait.process).pid)
        .Number(uint64_t{wait.thread})
        .Text(analyze::StateName(view.run.process(wait.process), wait.state))
        .Text(PlaceText(view, wait.place))
        .Text(wait.region == analyze::kNoFunction ? "" : view.frames.function(wait.region).name)
        .Number(wait.wait_id)
        .Number(wait.count)
        .Number(wait.total_ns)
        .Number(wait.max_ns)
        .Number(wait.last_count)
        .Number(wait.last_by_ns);
    Estimated(wait.estimate, &csv);
    csv.End();
  }
  return csv.text();
}

std::string CsvStates(const analyze::View& view) {
  CsvWriter csv(
      {"process", "thread", "state", WeightColumn(view, ""), "samples", "wait_ns", "waits", "estimated", "ci95"});
  const analyze::StateTimes times = analyze::MeasureStates(view);
  for (const analyze::ThreadStates& thread : times.threads) {
    for (size_t i = 0; i < times.names.size(); ++i) {
      const analyze::StateTime& time = thread.times[i];
      if (time.samples == 0 && time.weight == 0 && time.wait_count == 0) continue;
      csv.Number(view.run.process(thread.process).pid)
          .Number(uint64_t{thread.thread})
          .Text(times.names[i])
          .Number(time.weight)
          .Number(time.samples)
          .Number(time.wait_ns)
          .Number(time.wait_count);
      Estimated(time.estimate, &csv);
      csv.End();
    }
  }
  return csv.text();
}

}  // namespace ompprof::report
