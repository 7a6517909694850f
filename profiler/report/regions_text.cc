#include "profiler/report/regions_text.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "profiler/analyze/gain.h"
#include "profiler/analyze/omp_state.h"
#include "profiler/analyze/region_paths.h"
#include "profiler/report/advice_text.h"
#include "profiler/report/names_text.h"
#include "profiler/report/text_table.h"
#include "profiler/report/units.h"

namespace ompprof::report {
namespace {

using analyze::Activity;
using analyze::Cause;
using Align = TextTable::Align;
using Fit = TextTable::Fit;
using Cell = TextTable::Cell;

constexpr size_t kRegionRows = 10;
constexpr size_t kPathRows = 10;  // of each region

std::string Range(uint32_t low, uint32_t high) {
  if (high == 0) return "-";
  return low == high ? std::to_string(low) : std::to_string(low) + "-" + std::to_string(high);
}

}  // namespace

std::string RegionsText(const analyze::View& view, const TextOptions& options) {
  TextTable table({{WeightTitle(view), Align::kRight},
                   {"share", Align::kRight},
                   {"±", Align::kRight, Fit::kKeep, 6},
                   {"elapsed", Align::kRight, Fit::kKeep, 2},
                   {"runs", Align::kRight, Fit::kKeep, 3},
                   {"team", Align::kRight, Fit::kKeep, 4},
                   {"asked", Align::kRight, Fit::kKeep, 5},
                   {"imbalance", Align::kRight, Fit::kKeep, 1},
                   {"end wait", Align::kRight},
                   {"parallel region", Align::kLeft, Fit::kShorten}});
  const size_t rows = std::min(view.regions.size(), options.limit == 0 ? kRegionRows : options.limit);
  for (size_t i = 0; i < rows; ++i) {
    const analyze::Region& region = view.regions[i];
    const bool counted = region.invocations > 0;
    const std::string name = NameText(view, region.construct, options);
    table.Add({Weight(region.weight, WeighsNanoseconds(view)), ShareCell(region.weight, view.total_weight),
               ErrorText(view, region.weight), counted ? Duration(region.elapsed_ns) : "-",
               counted ? Count(region.invocations) : "-", Range(region.team_min, region.team_max),
               Range(region.requested_min, region.requested_max),
               region.useful_ns == 0
                   ? "-"
                   : (region.is_estimated() ? "~" : "") +
                         Share(static_cast<uint64_t>(std::max(0.0, region.Imbalance()) * 1e6), 1000000),
               region.team_ns == 0 ? "-" : Tilde(region.end_wait_estimate) + Share(region.end_wait_ns, region.team_ns),
               Cell(name, NameColor(name))});
  }
  if (table.empty()) return "";
  return Title(options.style, "Parallel regions (nested ones are counted in those around them as well; shares of " +
                                  WholeText(view, analyze::Metric::kWeight) + ", end wait: of the team's time)") +
         table.Text(options.style) + Omitted(rows, view.regions.size(), "regions");
}

namespace {

// What `region` loses, as columns after elapsed, runs and team and before its name.
std::vector<Cell> Losses(const analyze::View& view, const analyze::Region& region, uint64_t duration_ns) {
  uint64_t runtime = 0;
  for (const uint64_t weight : region.overhead_weight) runtime += weight;
  if (!analyze::WaitsRecorded(view))
    return {"-", "-", "-", "-", "-", "-", "-", Duration(runtime), Duration(region.own_weight), "-", "-", ""};
  const analyze::Gains gains = analyze::PotentialGains(view, region);
  int most = 0;
  for (int i = 1; i < analyze::kCauses; ++i) {
    if (gains.ns[i] > gains.ns[most]) most = i;
  }
  const double threads = region.MeanTeam();
  const std::string tilde = region.is_estimated() ? "~" : "";
  return {tilde + Duration(region.useful_min_ns),
          threads > 0 ? tilde + Duration(static_cast<uint64_t>(static_cast<double>(region.useful_ns) / threads)) : "-",
          tilde + Duration(region.useful_max_ns),
          tilde + Percent(std::max(0.0, region.Imbalance())),
          Measured(region.end_wait_ns + region.barrier_wait_ns, region.all_barriers_estimate()),
          Measured(region.task_wait_ns, region.task_wait_estimate),
          Measured(region.lock_wait_ns, region.lock_wait_estimate),
          Duration(runtime),
          Duration(region.own_weight),
          tilde + Duration(gains.total()),
          ShareCell(gains.total(), duration_ns),
          gains.ns[most] == 0 ? "" : analyze::CauseName(static_cast<Cause>(most))};
}

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
  TextTable table({{"elapsed", Align::kRight},
                   {"runs", Align::kRight, Fit::kKeep, 4},
                   {"team", Align::kRight, Fit::kKeep, 5},
                   {"useful min", Align::kRight, Fit::kKeep, 9},
                   {"mean", Align::kRight, Fit::kKeep, 8},
                   {"max", Align::kRight, Fit::kKeep, 7},
                   {"imbalance", Align::kRight, Fit::kKeep, 3},
                   {"barriers", Align::kRight, Fit::kKeep, 2},
                   {"tasks", Align::kRight, Fit::kKeep, 6},
                   {"locks", Align::kRight, Fit::kKeep, 2},
                   {"runtime", Align::kRight, Fit::kKeep, 6},
                   {"ompprof", Align::kRight, Fit::kKeep, 10},
                   {"could save", Align::kRight},
                   {"", Align::kRight},
                   {"most of it", Align::kLeft, Fit::kKeep, 1},
                   {"parallel region", Align::kLeft, Fit::kShorten}});
  size_t shown = 0;
  for (const analyze::Region& region : view.regions) {
    if (region.ended == 0) continue;
    if (options.limit != 0 && shown++ == options.limit) break;
    const double team = analyze::WaitsRecorded(view)
                            ? region.MeanTeam()
                            : static_cast<double>(region.team_sum) / static_cast<double>(region.ended);
    std::vector<Cell> row = {Duration(region.elapsed_ns), Count(region.ended), Times(team)};
    for (Cell& cell : Losses(view, region, duration_ns)) row.push_back(std::move(cell));
    const std::string name = NameText(view, region.construct, options);
    row.emplace_back(name, NameColor(name));
    table.Add(std::move(row));
  }
  if (table.empty()) return "";
  return Title(options.style,
               "Parallel regions: what they lose (barriers, tasks, locks: thread time waiting; runtime, and ompprof "
               "itself: sampled CPU time; "
               "could save: of " +
                   Duration(duration_ns) + " wall)") +
         table.Text(options.style) + LoopsText(view, options);
}

std::string RegionPathsText(const analyze::View& view, const TextOptions& options) {
  const std::vector<analyze::RegionPaths> regions = analyze::PathsOfRegions(view);
  const bool estimated = std::any_of(view.regions.begin(), view.regions.end(),
                                     [](const analyze::Region& region) { return region.is_estimated(); });
  std::string text =
      Title(options.style, "Parallel regions by call path (" + WeightTitle(view) +
                               ": sampled, shares of the whole, under a region of the region's; waited: " +
                               (estimated ? "exact but for what is ~estimated" : "exact") +
                               ", waits of a sampling period or more; "
                               "elapsed and runs: exact, by path those that one of these fell into)");
  if (view.kind != analyze::ViewKind::kUser)
    return text + "  the machine view has no regions in its stacks: leave out --view=machine\n";
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
          "    " + (path.callers.empty() ? "<not known>" : PathText(view, path.callers, options)));
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

}  // namespace ompprof::report
