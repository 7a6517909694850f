#include "profiler/report/phases_json.h"

#include "profiler/analyze/phases.h"
#include "profiler/report/estimate_json.h"

namespace ompprof::report {

void JsonPhases(const analyze::View& view, JsonWriter* json) {
  json->Key("phases");
  json->BeginObject();
  for (const analyze::PhaseCost& phase : analyze::PhaseCosts(view)) {
    if (phase.name.empty()) continue;
    json->Key(phase.name);
    json->BeginObject();
    json->Member("cpu_ns", phase.self.weight);
    json->Member("total_cpu_ns", phase.total.weight);
    json->Member("samples", phase.self.samples);
    json->Member("wait_ns", phase.self.wait);
    JsonEstimate(phase.self.wait_estimate(), json);
    json->EndObject();
  }
  json->EndObject();
}

}  // namespace ompprof::report
