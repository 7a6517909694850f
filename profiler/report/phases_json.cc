#include "profiler/report/phases_json.h"

#include "profiler/analyze/account/phases.h"
#include "profiler/report/columns/phase_columns.h"
#include "profiler/report/columns/rows_json.h"

namespace ompprof::report {

void JsonPhases(const analyze::View& view, JsonWriter* json) {
  json->Key("phases");
  json->BeginObject();
  for (const analyze::PhaseCost& phase : analyze::PhaseCosts(view)) {
    if (phase.name.empty()) continue;
    json->Key(phase.name);
    json->BeginObject();
    JsonMembers(PhaseColumns(), PhaseRow{view, phase}, json);
    json->EndObject();
  }
  json->EndObject();
}

}  // namespace ompprof::report
