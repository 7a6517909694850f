#include "profiler/report/sections/selection.h"

#include "profiler/report/basics/names_text.h"
#include "profiler/report/basics/units.h"

namespace ompprof::report {

std::string SelectionText(const analyze::View& view) {
  const analyze::Selection& selection = view.selection;
  if (!selection.any()) return "";
  std::string text;
  const auto add = [&text](const std::string& what) { text += (text.empty() ? "" : ", ") + what; };
  if (!selection.phase.empty()) add("phase " + Printable(selection.phase));
  if (!selection.region.empty()) add("region " + Printable(selection.region));
  if (selection.thread) add("thread " + std::to_string(*selection.thread));
  return text + ": " + Weight(view.total_weight, WeighsNanoseconds(view)) + " of " +
         Weight(view.run_weight, WeighsNanoseconds(view)) + " of " + WeightTitle(view) + " sampled";
}

std::string LeftOutText(const analyze::View& view) {
  const analyze::Selection& selection = view.selection;
  if (!selection.any()) return "";
  std::string text = "efficiency, advice, ranks, devices";
  if (!selection.knows_regions()) text += ", regions";
  if (!selection.knows_threads()) text += ", threads";
  if (!selection.knows_waits()) text += ", locks, waits by place";
  return text + ": known of the whole run only";
}

}  // namespace ompprof::report
