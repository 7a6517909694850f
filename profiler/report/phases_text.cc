#include "profiler/report/phases_text.h"

#include "profiler/analyze/phases.h"
#include "profiler/report/names_text.h"
#include "profiler/report/text_table.h"
#include "profiler/report/units.h"

namespace ompprof::report {

std::string PhasesText(const analyze::View& view, const Style& style) {
  const std::vector<analyze::PhaseCost> phases = analyze::PhaseCosts(view);
  if (phases.empty()) return "";
  using Align = TextTable::Align;
  TextTable table({{WeightTitle(view), Align::kRight},
                   {"share", Align::kRight},
                   {"own", Align::kRight, TextTable::Fit::kKeep, 1},
                   {"samples", Align::kRight, TextTable::Fit::kKeep, 2},
                   {"long waits", Align::kRight, TextTable::Fit::kKeep, 3},
                   {"phase", Align::kLeft, TextTable::Fit::kShorten}});
  const bool ns = WeighsNanoseconds(view);
  for (const analyze::PhaseCost& phase : phases) {
    table.Add({Weight(phase.total.weight, ns), ShareCell(phase.total.weight, view.total_weight),
               Weight(phase.self.weight, ns), Count(phase.total.samples),
               phase.total.wait == 0 ? "" : Measured(phase.total.wait, phase.total.wait_estimate()),
               phase.name.empty() ? "(no phase)" : Printable(phase.name)});
  }
  return Title(style, "Phases, by the program's labels (those inside others are counted in these as well; shares of " +
                          WholeText(view, analyze::Metric::kWeight) + ")") +
         table.Text(style);
}

}  // namespace ompprof::report
