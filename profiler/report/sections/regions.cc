#include "profiler/report/sections/regions.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "profiler/analyze/account/devices.h"
#include "profiler/analyze/account/region_paths.h"
#include "profiler/analyze/view/omp_state.h"
#include "profiler/report/basics/names_text.h"
#include "profiler/report/basics/text_table.h"
#include "profiler/report/basics/units.h"
#include "profiler/report/columns/region_columns.h"
#include "profiler/report/columns/rows_json.h"
#include "profiler/report/columns/rows_text.h"
#include "profiler/report/columns/target_columns.h"

namespace ompprof::report {
namespace {

using analyze::Activity;
using Align = TextTable::Align;
using Fit = TextTable::Fit;
using Cell = TextTable::Cell;

constexpr size_t kRegionRows = 10;
constexpr size_t kPathRows = 10;  // paths of each region

// The first table has the time without a processor only if that is a hundredth of the regions' time.
std::set<std::string> UnimportantColumns(const analyze::View& view) {
  uint64_t ready_ns = 0;
  uint64_t team_ns = 0;
  for (const analyze::Region& region : view.regions) {
    ready_ns += region.ready_ns;
    team_ns += region.team_ns;
  }
  return ready_ns * 100 < team_ns || ready_ns == 0 ? std::set<std::string>{"ready_ns"} : std::set<std::string>();
}

}  // namespace

std::string RegionsText(const analyze::View& view, const TextOptions& options) {
  const std::vector<Column<RegionRow>> columns = RegionColumnsOf(view);
  RowsText<RegionRow> table(columns, &Column<RegionRow>::text, WeighingOf(view), UnimportantColumns(view));
  const size_t rows = std::min(view.regions.size(), options.limit == 0 ? kRegionRows : options.limit);
  for (size_t i = 0; i < rows; ++i) {
    RegionRow row = RowOf(view, view.regions[i]);
    row.options = &options;
    table.Add(row);
  }
  if (table.empty()) return "";
  return Title(options.style, "Parallel regions (nested regions also count in the regions around them; shares of " +
                                  WholeText(view, analyze::Metric::kWeight) +
                                  ", at end: the team's time spent waiting for its last thread)") +
         table.Text(options.style) + Omitted(rows, view.regions.size(), "regions");
}

namespace {

std::string LoopsText(const analyze::View& view, const TextOptions& options) {
  TextTable loops({{"executions", Align::kRight},
                   {"iterations", Align::kRight},
                   {"chunks", Align::kRight},
                   {"worksharing", Align::kLeft},
                   {"at", Align::kLeft, Fit::kShorten},
                   {"parallel region", Align::kLeft, Fit::kShorten}});
  for (const analyze::Region& region : view.regions) {
    for (const analyze::Loop& loop : region.loops) {
      loops.Add({Count(loop.count), Count(loop.count == 0 ? 0 : loop.iterations / loop.count),
                 loop.chunks == 0 ? "-" : Count(loop.chunks), analyze::WorkName(loop.type), PlaceText(view, loop.place),
                 NameText(view, region.construct, options)});
    }
  }
  if (loops.empty()) return "";
  return Title(options.style,
               "Worksharing in them (executions: one for each thread; iterations: mean of an execution)") +
         loops.Text(options.style);
}

}  // namespace

std::string RegionLossesText(const analyze::View& view, uint64_t duration_ns, const TextOptions& options) {
  const bool mpi = std::any_of(view.regions.begin(), view.regions.end(),
                               [](const analyze::Region& region) { return region.mpi_weight > 0; });
  RowsText<RegionRow> table(RegionColumns(), &Column<RegionRow>::detail, WeighingOf(view),
                            mpi ? std::set<std::string>() : std::set<std::string>{"mpi_cpu_ns"});
  size_t shown = 0;
  for (const analyze::Region& region : view.regions) {
    if (region.ended == 0) continue;
    if (options.limit != 0 && shown++ == options.limit) break;
    RegionRow row = RowOf(view, region);
    row.duration_ns = duration_ns;
    row.options = &options;
    table.Add(row);
  }
  if (table.empty()) return "";
  return Title(options.style,
               "Parallel regions: what they lose (barriers, tasks, locks: thread time waiting; runtime, and ompprof "
               "itself: sampled CPU time; "
               "could save: of " +
                   Duration(duration_ns) + " wall)") +
         table.Text(options.style) + LoopsText(view, options);
}

std::string TargetsText(const analyze::View& view, const TextOptions& options) {
  RowsText<TargetRow> table(TargetColumns(), &Column<TargetRow>::text, WeighingOf(view));
  size_t shown = 0;
  for (const analyze::TargetConstruct& target : analyze::TargetConstructs(view)) {
    if (options.limit != 0 && shown++ == options.limit) break;
    table.Add({view, target, &options});
  }
  if (table.empty()) return "";
  return Title(
             options.style,
             "Target constructs (wall time of the host's threads, exact; kernels and copies: within it, or at the same "
             "time with nowait)") +
         table.Text(options.style);
}

std::string RegionPathsText(const analyze::View& view, const TextOptions& options) {
  const std::vector<analyze::RegionPaths> regions = analyze::PathsOfRegions(view, !options.no_fold);
  const bool estimated = std::any_of(view.regions.begin(), view.regions.end(),
                                     [](const analyze::Region& region) { return region.is_estimated(); });
  std::string text =
      Title(options.style, "Parallel regions by call path (" + WeightTitle(view) +
                               ": sampled, shares of the whole, under a region of the region's; waited: " +
                               (estimated ? "exact except where ~estimated" : "exact") +
                               ", waits of a sampling period or more; "
                               "elapsed and runs: exact, by path those that one of these fell into)");
  if (view.kind != analyze::ViewKind::kUser)
    return text + Sentence(options.style, "the machine view has no regions in its stacks: leave out --view=machine");
  TextTable table({{"elapsed", Align::kRight},
                   {"runs", Align::kRight},
                   {"imbalance", Align::kRight, Fit::kKeep, 4},
                   {WeightTitle(view), Align::kRight},
                   {"share", Align::kRight},
                   {"work", Align::kRight, Fit::kKeep, 2},
                   {"wait", Align::kRight, Fit::kKeep, 1},
                   {"overhead", Align::kRight, Fit::kKeep, 3},
                   {"waited", Align::kRight},
                   {"region, and what calls it", Align::kLeft, Fit::kShorten}});
  const bool ns = WeighsNanoseconds(view);
  size_t shown = 0;
  for (size_t at = 0; at < regions.size(); ++at) {
    const analyze::RegionPaths& region = regions[at];
    if (region.paths.empty()) continue;
    if (options.limit != 0 && shown++ == options.limit) break;
    analyze::Cost sum;
    for (const analyze::RegionPath& path : region.paths) sum.Add(path.cost);
    const auto add = [&](const analyze::RunTotals& runs, bool is_estimated, const analyze::Cost& cost,
                         const analyze::Cost* by_activity, uint64_t whole, Cell name) {
      const auto part = [&](Activity activity) {
        return by_activity == nullptr ? "" : Share(by_activity[static_cast<int>(activity)].weight, cost.weight);
      };
      const bool known = runs.ended != 0;
      table.Add({known ? Duration(runs.elapsed_ns) : "", known ? Count(runs.ended) : "",
                 runs.useful_ns == 0 ? "" : (is_estimated ? "~" : "") + Percent(std::max(0.0, runs.Imbalance())),
                 Weight(cost.weight, ns), ShareCell(cost.weight, whole), part(Activity::kWork), part(Activity::kWait),
                 part(Activity::kOverhead), cost.wait == 0 ? "" : Measured(cost.wait, cost.wait_estimate()),
                 std::move(name)});
    };
    add(view.regions[at], view.regions[at].is_estimated(), sum, nullptr, view.total_weight,
        Cell(NameText(view, region.construct, options), Color::kConstruct));
    const size_t rows = std::min(region.paths.size(), options.limit == 0 ? kPathRows : options.limit);
    for (size_t i = 0; i < rows; ++i) {
      const analyze::RegionPath& path = region.paths[i];
      add(path.runs, path.estimated, path.cost, path.by_activity, sum.weight,
          "    " + (path.callers.empty() ? "<not known>" : PathText(view, path.callers, path.calls, options)));
    }
    const auto add_name = [&](std::string elapsed, std::string runs, const std::string& name) {
      table.Add({std::move(elapsed), std::move(runs), "", "", "", "", "", "", "", "    " + name});
    };
    if (rows < region.paths.size()) add_name("", "", "... and " + Count(region.paths.size() - rows) + " more paths");
    if (region.other_runs != 0)
      add_name(Duration(region.other_elapsed_ns), Count(region.other_runs), "<runs that no sample fell into>");
  }
  return text + (table.empty() ? "  no region has a sample\n" : table.Text(options.style));
}

void JsonRegions(const analyze::View& view, JsonWriter* json) {
  const std::vector<analyze::RegionPaths> paths = analyze::PathsOfRegions(view);
  const std::vector<analyze::RegionPath> none;
  json->Key("regions");
  json->BeginArray();
  for (size_t at = 0; at < view.regions.size(); ++at) {
    RegionRow row = RowOf(view, view.regions[at]);
    row.paths = at < paths.size() ? &paths[at].paths : &none;
    json->BeginObject();
    JsonMembers(RegionColumns(), row, json);
    json->EndObject();
  }
  for (const analyze::TargetConstruct& target : analyze::TargetConstructs(view)) {
    json->BeginObject();
    JsonMembers(TargetColumns(), TargetRow{view, target}, json);
    json->EndObject();
  }
  json->EndArray();
}

}  // namespace ompprof::report
