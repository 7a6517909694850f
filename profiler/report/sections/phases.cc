#include "profiler/report/sections/phases.h"

#include <algorithm>

#include "profiler/analyze/account/phases.h"
#include "profiler/report/basics/names_text.h"
#include "profiler/report/columns/phase_columns.h"
#include "profiler/report/columns/rows_json.h"
#include "profiler/report/columns/rows_text.h"

namespace ompprof::report {

std::string PhasesText(const analyze::View& view, const TextOptions& options) {
  const std::vector<analyze::PhaseCost> phases = analyze::PhaseCosts(view);
  if (phases.empty()) return "";
  RowsText<PhaseRow> table(PhaseColumns(), &Column<PhaseRow>::text, WeighingOf(view));
  const size_t rows = options.limit == 0 ? phases.size() : std::min(phases.size(), options.limit);
  for (size_t i = 0; i < rows; ++i) table.Add({view, phases[i]});
  return Title(options.style,
               "Phases, by the program's labels (nested phases also count in the phases around them; shares of " +
                   WholeText(view, analyze::Metric::kWeight) + ")") +
         table.Text(options.style) + Omitted(rows, phases.size(), "phases");
}

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
