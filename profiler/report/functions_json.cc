#include "profiler/report/functions_json.h"

#include "profiler/report/columns/function_columns.h"
#include "profiler/report/columns/rows_json.h"

namespace ompprof::report {

void JsonFunctions(const analyze::View& view, const model::Symbolizer& symbolizer,
                   const std::vector<analyze::FunctionCost>& costs, JsonWriter* json) {
  json->Key("functions");
  json->BeginArray();
  for (const analyze::FunctionCost& cost : costs) {
    json->BeginObject();
    JsonMembers(FunctionColumns(), FunctionRow{view, symbolizer, cost}, json);
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
