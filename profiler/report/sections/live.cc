#include "profiler/report/sections/live.h"

#include <algorithm>
#include <cstdio>
#include <vector>

#include "profiler/analyze/account/summary.h"
#include "profiler/analyze/view/call_tree.h"
#include "profiler/report/basics/text_table.h"
#include "profiler/report/basics/units.h"
#include "profiler/report/sections/recording.h"

namespace ompprof::report {
namespace {

using Align = TextTable::Align;

constexpr size_t kStates = 4;

struct LiveRow {
  std::string name;
  uint64_t recent;
  uint64_t self;
  uint64_t total;
};

// The increase since the last picture. Updates `before` for the next picture.
uint64_t Grown(std::map<std::string, uint64_t>* before, const std::string& key, uint64_t now) {
  uint64_t& known = (*before)[key];
  const uint64_t grown = now > known ? now - known : 0;
  known = now;
  return grown;
}

std::string ShortState(const std::string& name) {
  constexpr char kPrefix[] = "ompt_state_";
  return name.rfind(kPrefix, 0) == 0 ? name.substr(sizeof kPrefix - 1) : name;
}

}  // namespace

std::string LiveText::Picture(const analyze::View& view, const std::string& state, const LiveTextOptions& options) {
  const analyze::Summary summary = analyze::Summarize(view);
  const uint64_t weight = view.total_weight - std::min(weight_, view.total_weight);
  std::string text = HeadText(view, state, summary, weight);
  text += StatesText(summary, weight) + "\n\n";
  return text + FunctionsText(view, options, weight);
}

std::string LiveText::HeadText(const analyze::View& view, const std::string& state, const analyze::Summary& summary,
                               uint64_t weight) {
  const analyze::ProcessFacts& process = view.run.first();
  const bool ns = process.sampling.weighs_ns();
  const uint64_t began = mono_ns_ == 0 ? process.start_mono_ns : mono_ns_;
  const uint64_t end = std::max(process.start_mono_ns + process.duration_ns, began);
  const uint64_t span = end - began;
  const uint64_t samples = view.total_samples - std::min(samples_, view.total_samples);
  mono_ns_ = end;
  weight_ = view.total_weight;
  samples_ = view.total_samples;

  std::string text = CommandLine(process) + "  process " + std::to_string(process.pid) + " on " +
                     Printable(process.host) + (process.rank.empty() ? "" : ", rank " + Printable(process.rank)) +
                     "  " + Duration(process.duration_ns) + "  " + Printable(state) + "\n";
  char busy[32] = "-";
  if (ns && span > 0) std::snprintf(busy, sizeof busy, "%.2f", static_cast<double>(weight) / static_cast<double>(span));
  return text + "samples " + Count(view.total_samples) + " (" + Count(samples) + " in the last " + Duration(span) +
         ")  " + (ns ? std::string("processors busy ") + busy : Weight(weight, ns) + " events") + "  threads " +
         Count(process.threads.size()) + "  lost " + Count(summary.lost_samples) + "\n";
}

std::string LiveText::StatesText(const analyze::Summary& summary, uint64_t weight) {
  std::vector<std::pair<uint64_t, std::string>> states;
  for (const analyze::StateCost& one : summary.states)
    states.emplace_back(Grown(&states_, one.name, one.cost.weight), one.name);
  std::stable_sort(states.begin(), states.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::string text = "states ";
  for (size_t i = 0; i < states.size() && i < kStates && states[i].first > 0; ++i)
    text += (i == 0 ? " " : ", ") + Printable(ShortState(states[i].second)) + " " + Share(states[i].first, weight);
  return text;
}

std::string LiveText::FunctionsText(const analyze::View& view, const LiveTextOptions& options, uint64_t weight) {
  const bool ns = view.run.first().sampling.weighs_ns();
  std::map<std::string, LiveRow> rows;
  for (const analyze::FunctionCost& cost : analyze::FunctionCosts(analyze::BuildCallTree(view, false))) {
    const analyze::ViewFunction& function = view.frames.function(cost.function);
    LiveRow& row = rows[function.name + "\n" + function.file];
    row.name = Printable(options.full_names ? function.name : view.frames.ShortName(cost.function));
    if (!function.file.empty() && function.name.back() != ']') row.name += "  " + Printable(BaseName(function.file));
    row.self += cost.self.weight;
    row.total += cost.total.weight;
  }
  std::vector<LiveRow> sorted;
  for (auto& [key, row] : rows) {
    row.recent = Grown(&self_, key, row.self);
    sorted.push_back(row);
  }
  std::stable_sort(sorted.begin(), sorted.end(), [](const LiveRow& a, const LiveRow& b) {
    return a.recent != b.recent ? a.recent > b.recent : a.self > b.self;
  });
  TextTable table({{"now", Align::kRight},
                   {"in all", Align::kRight},
                   {"", Align::kRight},
                   {"with calls", Align::kRight},
                   {"function", Align::kLeft}});
  for (size_t i = 0; i < sorted.size() && i < options.functions; ++i) {
    const LiveRow& row = sorted[i];
    table.Add({Share(row.recent, weight), Weight(row.self, ns), Share(row.self, view.total_weight),
               Share(row.total, view.total_weight), row.name});
  }
  return table.Text();
}

}  // namespace ompprof::report
