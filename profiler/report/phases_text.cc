#include "profiler/report/phases_text.h"

#include "profiler/analyze/phases.h"
#include "profiler/report/text_header.h"
#include "profiler/report/text_table.h"
#include "profiler/report/units.h"

namespace ompprof::report {

std::string PhasesText(const analyze::View& view) {
  const std::vector<analyze::PhaseCost> phases = analyze::PhaseCosts(view);
  if (phases.empty()) return "";
  using Align = TextTable::Align;
  TextTable table({{WeightTitle(view), Align::kRight},
                   {"share", Align::kRight},
                   {"own", Align::kRight},
                   {"samples", Align::kRight},
                   {"long waits", Align::kRight},
                   {"phase", Align::kLeft}});
  const bool ns = WeighsNanoseconds(view);
  for (const analyze::PhaseCost& phase : phases) {
    table.Add({Weight(phase.total.weight, ns), Share(phase.total.weight, view.total_weight),
               Weight(phase.self.weight, ns), Count(phase.total.samples),
               phase.total.wait == 0 ? "" : Duration(phase.total.wait),
               phase.name.empty() ? "(no phase)" : Printable(phase.name)});
  }
  return "\nPhases, by the program's labels (those inside others are counted in these as well)\n" + table.Text();
}

}  // namespace ompprof::report
