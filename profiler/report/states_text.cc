#include "profiler/report/states_text.h"

#include <algorithm>
#include <vector>

#include "profiler/analyze/process_labels.h"
#include "profiler/analyze/state_times.h"
#include "profiler/report/names_text.h"
#include "profiler/report/text_table.h"
#include "profiler/report/units.h"

namespace ompprof::report {
namespace {

using Align = TextTable::Align;
using Fit = TextTable::Fit;
using Cell = TextTable::Cell;

// A state's name without what all of them begin with: a column's title.
std::string Brief(const std::string& state) {
  constexpr char kPrefix[] = "ompt_state_";
  std::string name = state.compare(0, sizeof kPrefix - 1, kPrefix) == 0 ? state.substr(sizeof kPrefix - 1) : state;
  return Printable(name);
}

// Of all processes; empty if there is one.
std::vector<std::string> Labels(const analyze::View& view) {
  return view.run.several() ? analyze::ProcessLabels(view) : std::vector<std::string>();
}

// A row for each thread, a column for each state with anything, as `amount` has it.
template <class AmountOf, class Text>
std::string ByThread(const analyze::View& view, const analyze::StateTimes& times, const TextOptions& options,
                     AmountOf amount, Text text) {
  std::vector<size_t> states;
  for (size_t i = 0; i < times.names.size(); ++i) {
    if (amount(times.all[i]) > 0) states.push_back(i);
  }
  std::stable_sort(states.begin(), states.end(),
                   [&](size_t a, size_t b) { return amount(times.all[a]) > amount(times.all[b]); });
  if (states.empty()) return "";
  std::vector<TextTable::Column> columns = {{"thread", Align::kRight}, {"all", Align::kRight}};
  for (size_t i = 0; i < states.size(); ++i)
    columns.push_back({Brief(times.names[states[i]]), Align::kRight, Fit::kKeep, static_cast<int>(i)});
  TextTable table(columns);
  const std::vector<std::string> labels = Labels(view);
  size_t rows = 0;
  for (const analyze::ThreadStates& thread : times.threads) {
    uint64_t all = 0;
    for (const size_t state : states) all += amount(thread.times[state]);
    if (all == 0) continue;
    if (options.limit != 0 && rows == options.limit) break;
    ++rows;
    const std::string process = labels.empty() ? "" : Printable(labels[thread.process]) + "/";
    std::vector<Cell> row = {process + std::to_string(thread.thread), text(all)};
    for (const size_t state : states) {
      const uint64_t part = amount(thread.times[state]);
      row.push_back(part == 0 ? Cell("") : Cell(text(part), ShareColor(part, all)));
    }
    table.Add(std::move(row));
  }
  return table.Text(options.style);
}

}  // namespace

std::string StatesText(const analyze::View& view, const analyze::Summary& summary, const TextOptions& options) {
  TextTable table({{WeightTitle(view), Align::kRight},
                   {"share", Align::kRight},
                   {"±", Align::kRight, Fit::kKeep, 1},
                   {"samples", Align::kRight},
                   {"state", Align::kLeft, Fit::kShorten}});
  for (const analyze::StateCost& state : summary.states) {
    table.Add({Weight(state.cost.weight, WeighsNanoseconds(view)), ShareCell(state.cost.weight, view.total_weight),
               ErrorText(view, state.cost.weight), Count(state.cost.samples), Printable(state.name)});
  }
  return Title(options.style, "Time by OpenMP state (shares of " + WholeText(view, analyze::Metric::kWeight) + ")") +
         table.Text(options.style);
}

std::string StatesByThreadText(const analyze::View& view, const TextOptions& options) {
  const analyze::StateTimes times = analyze::MeasureStates(view);
  uint64_t waited = 0;
  analyze::Estimate estimate;
  for (const analyze::StateTime& time : times.all) {
    waited += time.wait_ns;
    estimate.Add(time.estimate);
  }
  TextTable table({{WeightTitle(view), Align::kRight},
                   {"share", Align::kRight},
                   {"±", Align::kRight, Fit::kKeep, 2},
                   {"samples", Align::kRight, Fit::kKeep, 1},
                   {"waited", Align::kRight},
                   {"share", Align::kRight},
                   {"waits", Align::kRight, Fit::kKeep, 3},
                   {"state", Align::kLeft, Fit::kShorten}});
  for (size_t i = 0; i < times.names.size(); ++i) {
    const analyze::StateTime& time = times.all[i];
    const bool waits = time.wait_count > 0;
    table.Add({Weight(time.weight, WeighsNanoseconds(view)), ShareCell(time.weight, view.total_weight),
               ErrorText(view, time.weight), Count(time.samples), waits ? Measured(time.wait_ns, time.estimate) : "",
               waits ? Share(time.wait_ns, waited) : "", waits ? Count(time.wait_count) : "",
               Printable(times.names[i])});
  }
  std::string text =
      Title(options.style,
            "Time by OpenMP state (shares of " + WholeText(view, analyze::Metric::kWeight) +
                (waited > 0 ? "; waited: thread time, " + std::string(estimate.any() ? "~ estimated" : "exact") +
                                  ", shares of " + Measured(waited, estimate)
                            : std::string()) +
                ")") +
      table.Text(options.style);
  const std::string sampled = ByThread(
      view, times, options, [](const analyze::StateTime& time) { return time.weight; },
      [&](uint64_t weight) { return Weight(weight, WeighsNanoseconds(view)); });
  const std::string waits = ByThread(
      view, times, options, [](const analyze::StateTime& time) { return time.wait_ns; },
      [](uint64_t ns) { return Duration(ns); });
  if (!sampled.empty()) text += Title(options.style, WeightTitle(view) + " by thread and state, sampled") + sampled;
  if (!waits.empty())
    text += Title(options.style, std::string("Waiting by thread and state (thread time, spinning or asleep, ") +
                                     (estimate.any() ? "estimated in part)" : "exact)")) +
            waits;
  return text;
}

std::string ThreadsText(const analyze::View& view, const analyze::Summary& summary, const TextOptions& options) {
  const std::vector<std::string> labels = Labels(view);
  std::vector<TextTable::Column> columns = {{"id", Align::kRight},
                                            {"tid", Align::kRight, Fit::kKeep, 3},
                                            {"kind", Align::kLeft},
                                            {"CPU clock", Align::kRight, Fit::kKeep, 2},
                                            {"sampled", Align::kRight},
                                            {"samples", Align::kRight, Fit::kKeep, 1},
                                            {"work", Align::kRight},
                                            {"wait", Align::kRight},
                                            {"overhead", Align::kRight},
                                            {"idle", Align::kRight},
                                            {"no state", Align::kRight, Fit::kKeep, 4},
                                            {"ompprof", Align::kRight, Fit::kKeep, 5},
                                            {"name", Align::kLeft, Fit::kShorten}};
  if (!labels.empty()) columns.insert(columns.begin(), {"process", Align::kRight});
  TextTable table(columns);
  const size_t rows = options.limit == 0 ? summary.threads.size() : std::min(summary.threads.size(), options.limit);
  for (size_t i = 0; i < rows; ++i) {
    const analyze::ThreadCost& thread = summary.threads[i];
    std::vector<Cell> row = {std::to_string(thread.id),
                             std::to_string(thread.thread.tid),
                             analyze::ThreadKindName(thread.thread.kind),
                             Duration(thread.thread.cpu_ns),
                             Weight(thread.cost.weight, WeighsNanoseconds(view)),
                             Count(thread.cost.samples)};
    if (!labels.empty()) row.insert(row.begin(), Printable(labels[thread.process]));
    for (const analyze::Cost& cost : thread.by_activity) row.push_back(Share(cost.weight, thread.cost.weight));
    row.push_back(Printable(thread.thread.name) + (thread.id == 0 || thread.thread.sampled ? "" : " (not sampled)"));
    table.Add(std::move(row));
  }
  return Title(options.style, "Threads (shares are of each thread's own samples)") + table.Text(options.style) +
         Omitted(rows, summary.threads.size(), "threads");
}

}  // namespace ompprof::report
