#include "profiler/report/phases_text.h"

#include <algorithm>

#include "profiler/analyze/account/phases.h"
#include "profiler/report/columns/phase_columns.h"
#include "profiler/report/columns/rows_text.h"
#include "profiler/report/names_text.h"

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

}  // namespace ompprof::report
