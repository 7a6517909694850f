#include "profiler/report/functions_json.h"

#include "profiler/analyze/confidence.h"
#include "profiler/report/estimate_json.h"

namespace ompprof::report {

void JsonFunctions(const analyze::View& view, const model::Symbolizer& symbolizer,
                   const std::vector<analyze::FunctionCost>& costs, JsonWriter* json) {
  json->Key("functions");
  json->BeginArray();
  for (const analyze::FunctionCost& cost : costs) {
    const analyze::ViewFunction& function = view.frames.function(cost.function);
    json->BeginObject();
    json->Member("name", function.name);
    json->Member("file", function.file);
    json->Member("line", function.line);
    json->Member("module", symbolizer.objects()[function.object].path);
    json->Member("self_cpu_ns", cost.self.weight);
    json->Member("self_cpu_error_ns", analyze::WeightError(view, cost.self.weight));
    json->Member("total_cpu_ns", cost.total.weight);
    json->Member("total_cpu_error_ns", analyze::WeightError(view, cost.total.weight));
    json->Member("self_samples", cost.self.samples);
    json->Member("total_samples", cost.total.samples);
    json->Member("wait_ns", cost.self.wait);
    json->Member("blame_ns", cost.self.all_blame());
    json->Member("total_blame_ns", cost.total.all_blame());
    JsonEstimates(cost.self, cost.total, json);
    json->EndObject();
  }
  json->EndArray();
}

void JsonBreakdown(const analyze::View& view, const model::Symbolizer& symbolizer, analyze::Dimension by,
                   JsonWriter* json) {
  json->Key("by");
  json->BeginArray();
  for (const analyze::Slice& slice : analyze::BreakDown(view, by, false, analyze::Metric::kWeight)) {
    json->BeginObject();
    json->Member("value", slice.name);
    json->Member("cpu_ns", slice.cost.weight);
    json->Member("samples", slice.cost.samples);
    json->Member("wait_ns", slice.cost.wait);
    json->Member("blame_ns", slice.cost.all_blame());
    const analyze::Estimate waits = slice.cost.wait_estimate();
    const analyze::Estimate blame = slice.cost.blame_estimate();
    if (waits.any() || blame.any()) {
      json->Member("estimated", true);
      json->Key("ci95");
      json->BeginObject();
      json->Member("wait_ns", waits.ci95_ns());
      json->Member("blame_ns", blame.ci95_ns());
      json->EndObject();
    }
    JsonFunctions(view, symbolizer, slice.functions, json);
    json->EndObject();
  }
  json->EndArray();
}

}  // namespace ompprof::report
