#include "profiler/report/phases_text.h"

#include "profiler/analyze/phases.h"
#include "profiler/report/columns/phase_columns.h"
#include "profiler/report/columns/rows_text.h"
#include "profiler/report/names_text.h"

namespace ompprof::report {

std::string PhasesText(const analyze::View& view, const Style& style) {
  const std::vector<analyze::PhaseCost> phases = analyze::PhaseCosts(view);
  if (phases.empty()) return "";
  RowsText<PhaseRow> table(PhaseColumns(), &Column<PhaseRow>::text, WeighingOf(view));
  for (const analyze::PhaseCost& phase : phases) table.Add({view, phase});
  return Title(style, "Phases, by the program's labels (those inside others are counted in these as well; shares of " +
                          WholeText(view, analyze::Metric::kWeight) + ")") +
         table.Text(style);
}

}  // namespace ompprof::report
