#include "profiler/report/sections/states.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "profiler/analyze/account/state_times.h"
#include "profiler/analyze/account/thread_groups.h"
#include "profiler/analyze/view/process_labels.h"
#include "profiler/analyze/view/state_kind.h"
#include "profiler/report/basics/names_text.h"
#include "profiler/report/basics/text_table.h"
#include "profiler/report/basics/units.h"
#include "profiler/report/columns/rows_text.h"
#include "profiler/report/columns/state_columns.h"
#include "profiler/report/columns/thread_columns.h"

namespace ompprof::report {
namespace {

using Align = TextTable::Align;
using Fit = TextTable::Fit;
using Cell = TextTable::Cell;

// The labels of all processes; empty if there is only one process.
std::vector<std::string> Labels(const analyze::View& view) {
  return view.run.several() ? analyze::ProcessLabels(view) : std::vector<std::string>();
}

// A table with a row for each thread and a column for each used state. `amount` gives the cells.
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
    columns.push_back({StateText(times.names[states[i]], options), Align::kRight, Fit::kKeep, static_cast<int>(i)});
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

// The threads' time that no state has, because threads off the processor take no samples.
std::string OffCpuText(const analyze::View& view, const TextOptions& options) {
  analyze::ThreadAccount all;
  for (const auto& [thread, account] : view.accounts) all.Add(account);
  if (all.off_cpu_ns() == 0) return "";
  return "\n" +
         Sentence(options.style,
                  "In addition, threads were off the processor without waiting in OpenMP: " + Duration(all.ready_ns) +
                      " of thread time ready without a processor, " + Duration(all.blocked_ns) + " blocked (" +
                      Share(all.off_cpu_ns(), all.lifetime_ns) + " of their " + Duration(all.lifetime_ns) + ")");
}

}  // namespace

std::string StatesText(const analyze::View& view, const analyze::Summary& summary, const TextOptions& options) {
  RowsText<StateRow> table(StateColumns(), &Column<StateRow>::text, WeighingOf(view));
  const size_t rows = options.limit == 0 ? summary.states.size() : std::min(summary.states.size(), options.limit);
  for (size_t i = 0; i < rows; ++i) {
    const analyze::StateCost& state = summary.states[i];
    table.Add({.view = view,
               .name = state.name,
               .time = analyze::StateTime{state.cost.samples, state.cost.weight},
               .options = &options});
  }
  return Title(options.style, "Time by OpenMP state (shares of " + WholeText(view, analyze::Metric::kWeight) + ")") +
         table.Text(options.style) + Omitted(rows, summary.states.size(), "states");
}

std::string StatesByThreadText(const analyze::View& view, const TextOptions& options) {
  const analyze::StateTimes times = analyze::MeasureStates(view);
  uint64_t waited = 0;
  analyze::Estimate estimate;
  for (const analyze::StateTime& time : times.all) {
    waited += time.wait_ns;
    estimate.Add(time.estimate);
  }
  RowsText<StateRow> table(StateColumns(), &Column<StateRow>::detail, WeighingOf(view));
  const size_t rows = options.limit == 0 ? times.names.size() : std::min(times.names.size(), options.limit);
  for (size_t i = 0; i < rows; ++i)
    table.Add({.view = view, .name = times.names[i], .time = times.all[i], .waited_ns = waited, .options = &options});
  const std::string off_cpu = OffCpuText(view, options);
  std::string text =
      Title(options.style,
            "Time by OpenMP state (shares of " + WholeText(view, analyze::Metric::kWeight) +
                (waited > 0 ? "; waited: thread time, " + std::string(estimate.any() ? "~ estimated" : "exact") +
                                  ", shares of " + Measured(waited, estimate)
                            : std::string()) +
                ")") +
      table.Text(options.style) + Omitted(rows, times.names.size(), "states") + off_cpu;
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
  std::set<std::string> empty;
  if (labels.empty()) empty.insert("process");
  if (std::none_of(view.samples.begin(), view.samples.end(),
                   [](const analyze::ViewSample& sample) { return sample.state == analyze::kStateMpi; }))
    empty.insert("mpi_cpu_ns");
  RowsText<ThreadRow> table(ThreadColumns(), &Column<ThreadRow>::text, WeighingOf(view), empty);
  const std::vector<analyze::ThreadGroup> groups = analyze::GroupThreads(view, summary);
  const size_t rows = options.limit == 0 ? groups.size() : std::min(groups.size(), options.limit);
  size_t shown = 0;
  for (size_t i = 0; i < rows; ++i) {
    const analyze::ThreadCost sum = analyze::SumOf(summary, groups[i]);
    ThreadRow row{view, sum};
    if (!labels.empty()) row.process = Printable(labels[sum.process]);
    row.threads = groups[i].threads.size();
    row.last_id = summary.threads[groups[i].threads.back()].id;
    table.Add(row);
    shown += groups[i].threads.size();
  }
  return Title(options.style, "Threads (shares are of each thread's own samples)") + table.Text(options.style) +
         Omitted(shown, summary.threads.size(), "threads");
}

}  // namespace ompprof::report
