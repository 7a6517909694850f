#include "profiler/report/regions_json.h"

#include <string>
#include <vector>

#include "profiler/analyze/confidence.h"
#include "profiler/analyze/gain.h"
#include "profiler/analyze/omp_state.h"
#include "profiler/analyze/region_paths.h"
#include "profiler/report/advice_text.h"

namespace ompprof::report {
namespace {

// Shared out among threads: of a region, or of it on one path.
void Sharing(const analyze::RunTotals& runs, JsonWriter* json) {
  json->Member("imbalance", runs.Imbalance());
  json->Key("useful_ns");
  json->BeginObject();
  json->Member("min", runs.useful_min_ns);
  const double threads = runs.MeanTeam();
  json->Member("mean", threads == 0 ? 0.0 : static_cast<double>(runs.useful_ns) / threads);
  json->Member("max", runs.useful_max_ns);
  json->EndObject();
}

void Paths(const analyze::View& view, const std::vector<analyze::RegionPath>& paths, JsonWriter* json) {
  json->Key("paths");
  json->BeginArray();
  for (const analyze::RegionPath& path : paths) {
    const auto weight = [&](analyze::Activity activity) { return path.by_activity[static_cast<int>(activity)].weight; };
    json->BeginObject();
    json->Key("callers");
    json->BeginArray();
    for (const analyze::FunctionId function : path.callers) json->String(view.frames.function(function).name);
    json->EndArray();
    json->Member("runs", path.runs.ended);
    json->Member("elapsed_ns", path.runs.elapsed_ns);
    json->Member("team_size", path.runs.MeanTeam());
    json->Member("end_wait_ns", path.runs.end_wait_ns);
    Sharing(path.runs, json);
    json->Member("cpu_ns", path.cost.weight);
    json->Member("samples", path.cost.samples);
    json->Member("work_cpu_ns", weight(analyze::Activity::kWork));
    json->Member("wait_cpu_ns", weight(analyze::Activity::kWait));
    json->Member("overhead_cpu_ns", weight(analyze::Activity::kOverhead));
    json->Member("ompprof_cpu_ns", weight(analyze::Activity::kOwn));
    json->Member("wait_ns", path.cost.wait);
    json->Member("blame_ns", path.cost.all_blame());
    const analyze::Estimate waits = path.cost.wait_estimate();
    const analyze::Estimate blame = path.cost.blame_estimate();
    json->Member("estimated", path.estimated || waits.any() || blame.any());
    json->Key("ci95");
    json->BeginObject();
    json->Member("wait_ns", waits.ci95_ns());
    json->Member("blame_ns", blame.ci95_ns());
    json->EndObject();
    json->EndObject();
  }
  json->EndArray();
}

}  // namespace

void JsonRegions(const analyze::View& view, JsonWriter* json) {
  const std::vector<analyze::RegionPaths> paths = analyze::PathsOfRegions(view);
  json->Key("regions");
  json->BeginArray();
  for (size_t at = 0; at < view.regions.size(); ++at) {
    const analyze::Region& region = view.regions[at];
    const analyze::ViewFunction& construct = view.frames.function(region.construct);
    json->BeginObject();
    json->Member("function", construct.name.substr(0, construct.name.rfind(" [omp ")));
    json->Member("file", construct.file);
    json->Member("line", construct.line);
    json->Member("name", construct.name);
    json->Member("invocations", region.invocations);
    json->Member("elapsed_ns", region.elapsed_ns);
    json->Member("cpu_ns", region.weight);
    json->Member("cpu_error_ns", analyze::WeightError(view, region.weight));
    json->Member("samples", region.samples);
    json->Member("team_size", region.invocations == 0
                                  ? 0.0
                                  : static_cast<double>(region.team_sum) / static_cast<double>(region.invocations));
    json->Member("team_size_min", region.team_min);
    json->Member("team_size_max", region.team_max);
    json->Member("requested_min", region.requested_min);
    json->Member("requested_max", region.requested_max);
    json->Member("nesting_level", region.nesting_level);
    json->Member("barrier_wait_ns", region.end_wait_ns + region.barrier_wait_ns);
    json->Member("end_wait_ns", region.end_wait_ns);
    json->Member("task_wait_ns", region.task_wait_ns);
    json->Member("lock_wait_ns", region.lock_wait_ns);
    json->Member("partial_ns", region.partial_ns);
    Sharing(region, json);
    json->Member("estimated", region.is_estimated());
    json->Key("ci95");
    json->BeginObject();
    json->Member("barrier_wait_ns", region.all_barriers_estimate().ci95_ns());
    json->Member("end_wait_ns", region.end_wait_estimate.ci95_ns());
    json->Member("task_wait_ns", region.task_wait_estimate.ci95_ns());
    json->Member("lock_wait_ns", region.lock_wait_estimate.ci95_ns());
    json->Member("useful_ns", region.wait_estimate().ci95_ns());
    json->EndObject();
    json->Key("overhead_cpu_ns");
    json->BeginObject();
    for (int i = 0; i < analyze::kOverheads; ++i)
      json->Member(analyze::OverheadName(static_cast<analyze::Overhead>(i)), region.overhead_weight[i]);
    json->EndObject();
    json->Member("ompprof_cpu_ns", region.own_weight);
    const analyze::Gains gains = analyze::PotentialGains(view, region);
    json->Key("potential_gain_ns");
    json->BeginObject();
    for (int i = 0; i < analyze::kCauses; ++i)
      json->Member(analyze::CauseName(static_cast<analyze::Cause>(i)), gains.ns[i]);
    json->EndObject();
    json->Key("loops");
    json->BeginArray();
    for (const analyze::Loop& loop : region.loops) {
      json->BeginObject();
      json->Member("kind", analyze::WorkName(loop.type));
      json->Member("at", PlaceText(view, loop.place));
      json->Member("executions", loop.count);
      json->Member("iterations", loop.iterations);
      json->Member("chunks", loop.chunks);
      json->EndObject();
    }
    json->EndArray();
    Paths(view, at < paths.size() ? paths[at].paths : std::vector<analyze::RegionPath>(), json);
    json->EndObject();
  }
  json->EndArray();
}

}  // namespace ompprof::report
