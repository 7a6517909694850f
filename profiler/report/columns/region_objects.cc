#include "profiler/report/columns/region_objects.h"

#include "profiler/analyze/view/omp_state.h"
#include "profiler/report/basics/names_text.h"

namespace ompprof::report {

double MeanUseful(const analyze::RunTotals& runs) {
  const double threads = runs.MeanTeam();
  return threads == 0 ? 0 : static_cast<double>(runs.useful_ns) / threads;
}

void JsonUseful(const analyze::RunTotals& runs, JsonWriter* json) {
  json->BeginObject();
  json->Member("min", runs.useful_min_ns);
  json->Member("mean", MeanUseful(runs));
  json->Member("max", runs.useful_max_ns);
  json->EndObject();
}

void JsonLoops(const analyze::View& view, const analyze::Region& region, JsonWriter* json) {
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
}

void JsonPaths(const analyze::View& view, const std::vector<analyze::RegionPath>& paths, JsonWriter* json) {
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
    json->Member("imbalance", path.runs.Imbalance());
    json->Key("useful_ns");
    JsonUseful(path.runs, json);
    json->Member("cpu_ns", path.cost.weight);
    json->Member("samples", path.cost.samples);
    json->Member("work_cpu_ns", weight(analyze::Activity::kWork));
    json->Member("wait_cpu_ns", weight(analyze::Activity::kWait));
    json->Member("mpi_cpu_ns", weight(analyze::Activity::kMpi));
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

}  // namespace ompprof::report
