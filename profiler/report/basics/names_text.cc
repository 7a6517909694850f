#include "profiler/report/basics/names_text.h"

#include <cstdio>

#include "profiler/analyze/view/confidence.h"
#include "profiler/analyze/view/omp_state.h"
#include "profiler/report/basics/units.h"

namespace ompprof::report {

bool WeighsNanoseconds(const analyze::View& view) { return view.run.weighs_ns(); }

std::string WeightTitle(const analyze::View& view) {
  const std::string& clock = view.run.first().sampling.clock;
  if (!WeighsNanoseconds(view)) return clock.empty() ? "events" : Printable(clock);
  return clock == "wall" ? "wall" : "CPU";
}

Weighing WeighingOf(const analyze::View& view) { return {WeighsNanoseconds(view), WeightTitle(view)}; }

std::string NameText(const analyze::View& view, analyze::FunctionId function, const TextOptions& options,
                     const char* none) {
  if (function == analyze::kNoFunction) return none;
  const std::string& name = view.frames.function(function).name;
  return Printable(options.full_names ? name : view.frames.ShortName(name));
}

std::string StateText(const std::string& name, const TextOptions& options) {
  return Printable(options.raw ? name : analyze::PlainStateName(name));
}

std::string PlacedName(const analyze::View& view, analyze::FunctionId id, uint32_t line,
                       const model::Symbolizer& symbolizer, const TextOptions& options) {
  const analyze::ViewFunction& function = view.frames.function(id);
  std::string where;
  if (!function.file.empty()) {
    const uint32_t shown = line != 0 ? line : function.line;
    where = Printable(BaseName(function.file)) + (shown != 0 ? ":" + std::to_string(shown) : "");
  } else {
    where = Printable(BaseName(symbolizer.objects()[function.object].path));
  }
  const std::string name = NameText(view, id, options);
  // "[omp parallel solve.c:12]", and "[omp parallel solve.c:12 #2]" of two on one line.
  const size_t bracket = !name.empty() && name.back() == ']' ? name.rfind(" [") : std::string::npos;
  const size_t at = bracket == std::string::npos ? bracket : name.find(where, bracket);
  const bool placed = line == 0 && at != std::string::npos &&
                      (at + where.size() + 1 == name.size() || name.compare(at + where.size(), 2, " #") == 0);
  return where.empty() || placed ? name : name + "  " + where;
}

std::string PlaceText(const analyze::View& view, const analyze::Line& place) {
  if (place.function == analyze::kNoFunction) return "";
  const analyze::ViewFunction& function = view.frames.function(place.function);
  const uint32_t line = place.line != 0 ? place.line : function.line;
  const bool named = place.part == analyze::Line::kNamed;
  std::string text = function.file.empty() ? Printable(named ? view.frames.ShortName(place.function) : function.name)
                                           : Printable(BaseName(function.file));
  if (!function.file.empty() && line != 0) text += ":" + std::to_string(line);
  if (!function.file.empty() && named) text += " in " + Printable(view.frames.ShortName(place.function));
  if (place.part != 0 && !named) text += " #" + std::to_string(place.part);
  return text;
}

std::string PathText(const analyze::View& view, const std::vector<analyze::FunctionId>& path,
                     const std::vector<analyze::Recursion>& calls, const TextOptions& options) {
  std::string text;
  for (size_t i = 0; i < path.size(); ++i) {
    const std::string depth = i < calls.size() ? analyze::RecursionText(calls[i]) : "";
    text += (text.empty() ? "" : " > ") + NameText(view, path[i], options) + (depth.empty() ? "" : " " + depth);
  }
  return text;
}

std::string AmountText(const analyze::View& view, analyze::Metric metric, uint64_t amount) {
  switch (metric) {
    case analyze::Metric::kWeight:
      return Weight(amount, WeighsNanoseconds(view));
    case analyze::Metric::kSamples:
      return Count(amount);
    case analyze::Metric::kWait:
    case analyze::Metric::kBlame:
      return Duration(amount);
  }
  return "";
}

std::string CostText(const analyze::View& view, analyze::Metric metric, const analyze::Cost& cost) {
  const analyze::Estimate estimate = EstimateOf(cost, metric);
  const uint64_t amount = CostIn(cost, metric);
  return estimate.any() ? Measured(amount, estimate) : AmountText(view, metric, amount);
}

std::string WholeText(const analyze::View& view, analyze::Metric metric) {
  const std::string whole = AmountText(view, metric, analyze::Total(view, metric));
  switch (metric) {
    case analyze::Metric::kWeight:
      return whole + " of " + (WeightTitle(view) == "wall" ? "wall time" : WeightTitle(view)) + " sampled";
    case analyze::Metric::kSamples:
      return whole + " samples";
    case analyze::Metric::kWait:
      return whole + " that threads waited";
    case analyze::Metric::kBlame:
      return whole + " that threads waited for others";
  }
  return "";
}

std::string MetricTitle(const analyze::View& view, analyze::Metric metric) {
  switch (metric) {
    case analyze::Metric::kWeight:
      return WeightTitle(view);
    case analyze::Metric::kSamples:
      return "samples";
    case analyze::Metric::kWait:
      return "waiting";
    case analyze::Metric::kBlame:
      return "blame";
  }
  return "";
}

TextTable::Cell ShareCell(uint64_t part, uint64_t whole) { return {Share(part, whole), ShareColor(part, whole)}; }

std::string ErrorText(const analyze::View& view, uint64_t weight) {
  if (weight == 0 || view.total_weight == 0) return "";
  const double whole = static_cast<double>(view.total_weight);
  char text[32];
  std::snprintf(text, sizeof text, "±%.1f %%",
                100 * analyze::ShareError(static_cast<double>(weight) / whole, analyze::EffectiveSamples(view)));
  return text;
}

std::string RanOnText(const analyze::PlacementFacts& placement) {
  constexpr double kLeastShown = 0.01;
  uint64_t all = placement.elsewhere_weight;
  for (const auto& visit : placement.ran_on) all += visit.weight;
  const double least = kLeastShown * static_cast<double>(all);
  analyze::ProcessorNumbers numbers;
  for (const auto& visit : placement.ran_on) {
    if (static_cast<double>(visit.weight) >= least) numbers.insert(visit.processor);
  }
  const bool more = placement.elsewhere_weight > 0 && static_cast<double>(placement.elsewhere_weight) >= least;
  return RangesText(numbers) + (more ? ",.." : "");
}

std::string PlacementText(const analyze::PlacementFacts& placement) {
  if (placement.may_use.empty() || placement.ran_on.empty()) return "";
  return "may use " + RangesText(placement.may_use) + ", ran on " + RanOnText(placement);
}

}  // namespace ompprof::report
