#include "profiler/report/waits_text.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "profiler/report/advice_text.h"
#include "profiler/report/columns/rows_text.h"
#include "profiler/report/columns/wait_columns.h"
#include "profiler/report/names_text.h"
#include "profiler/report/text_table.h"
#include "profiler/report/units.h"
#include "proto/ompt_state.h"

namespace ompprof::report {
namespace {

using Align = TextTable::Align;
using Fit = TextTable::Fit;

constexpr size_t kWaitRows = 20;

// The waits at one construct, for all threads together.
struct Place {
  analyze::WaitTotal sum{};  // its process is one of the processes with the construct
  // How often a thread came last, and by how much in total. One line may have several constructs, because the compiler
  // repeats a loop's body or puts it into several functions.
  struct Last {
    uint64_t count = 0;
    uint64_t by_ns = 0;
  };
  std::map<std::pair<uint32_t, uint32_t>, Last> last;  // key: process and thread
};

// "~" before a number with its own error.
const char* ExactWords(const analyze::Estimate& estimate) {
  return estimate.any() ? "exact but for what is ~estimated, ±: 95 % confidence" : "exact";
}

std::string LastText(const Place& place) {
  if (place.sum.last_count == 0) return "";
  const auto& [thread, most] =
      *std::max_element(place.last.begin(), place.last.end(),
                        [](const auto& a, const auto& b) { return a.second.count < b.second.count; });
  return "thread " + std::to_string(thread.second) + " in " + Share(most.count, place.sum.last_count) + " of " +
         Count(place.sum.last_count) + ", by " + Duration(most.by_ns / most.count);
}

// "91.9 %: 56.1 % at barriers, 10.0 % ready without a processor; in 50 regions, the largest 2.0 %"
std::string LostText(const analyze::View& view, const analyze::Efficiency& efficiency) {
  const uint64_t whole = efficiency.threads * efficiency.duration_ns;
  uint64_t lost_ns = 0;
  std::string parts;
  constexpr double kLeastShare = 0.0005;  // a smaller part would be shown as 0.0 %
  for (const analyze::Loss& loss : analyze::LossesOf(efficiency)) {
    lost_ns += loss.ns;
    if (static_cast<double>(loss.ns) < kLeastShare * static_cast<double>(whole)) continue;
    parts += (parts.empty() ? ": " : ", ") + Share(loss.ns, whole) + " " + loss.where;
  }
  uint64_t regions = 0;
  uint64_t most_ns = 0;
  for (const analyze::Region& region : view.regions) {
    const uint64_t ns = region.LostNs();
    if (ns == 0) continue;
    ++regions;
    most_ns = std::max(most_ns, ns);
  }
  if (regions > 1) parts += "; in " + Count(regions) + " regions, the largest " + Share(most_ns, whole);
  return Tilde(efficiency.wait_estimate) + Share(lost_ns, whole) + parts;
}

}  // namespace

std::string EfficiencyText(const analyze::View& view, const analyze::Efficiency& efficiency, const Style& style) {
  if (!efficiency.known || efficiency.threads < 2) return "";
  TextTable table({{"", Align::kLeft}, {"", Align::kLeft, Fit::kWrap}});
  table.Add({"busy threads", Tilde(efficiency.wait_estimate) + Times(efficiency.busy_threads()) + " of " +
                                 std::to_string(efficiency.threads) + " on average"});
  table.Add({"parallel efficiency", Tilde(efficiency.wait_estimate) + Percent(efficiency.parallel()) +
                                        " = load balance " + Percent(efficiency.load_balance()) + " x communication " +
                                        Percent(efficiency.communication())});
  table.Add({"lost", LostText(view, efficiency)});
  table.Add({"waiting", Measured(efficiency.wait_ns, efficiency.wait_estimate) + " of thread time in regions, " +
                            Duration(efficiency.idle_ns) + " idle between them"});
  if (efficiency.off_cpu_ns() > 0) {
    table.Add({"off CPU", Duration(efficiency.ready_ns) + " of thread time ready without a processor, " +
                              Duration(efficiency.blocked_ns) + " blocked outside OpenMP: asleep in I/O" +
                              (efficiency.mpi_ns > 0 ? ", MPI" : "") + ", page faults or other locks"});
  }
  if (efficiency.mpi_ns > 0) table.Add({"in MPI", Duration(efficiency.mpi_ns) + " of thread time, sampled"});
  if (efficiency.library_ns > 0)
    table.Add({"in libraries", Duration(efficiency.library_ns) + " of thread time waiting, sampled"});
  table.Add(
      {"serial time", Duration(efficiency.serial_ns) + ", " + Percent(efficiency.serial_fraction()) + " of the run" +
                          (efficiency.has_speedup_bound() ? ": at most " + Times(efficiency.speedup_bound()) +
                                                                " times as fast with any number of threads (Amdahl)"
                                                          : "")});
  table.Add(
      {"partly busy", Duration(efficiency.partial_ns) + " of parallel time with some threads of the team waiting"});
  return Title(style, std::string("Efficiency (useful: on a processor, not waiting; waits: wall time, ") +
                          ExactWords(efficiency.wait_estimate) + ")") +
         table.Text(style);
}

std::string AdviceSection(const analyze::View& view, const std::vector<analyze::Advice>& advice,
                          const analyze::Locks* locks, uint64_t duration_ns, size_t limit, const Style& style) {
  if (advice.empty()) return "";
  std::string text = Title(style, "Advice (what each would save of " + Duration(duration_ns) + " wall)");
  const size_t rows = limit == 0 ? advice.size() : std::min(advice.size(), limit);
  for (size_t i = 0; i < rows; ++i) {
    const analyze::Advice& one = advice[i];
    const std::string gain =
        one.gain_ns == 0 ? "?" : GainText(one) + ", " + Tilde(one.estimate) + Share(one.gain_ns, duration_ns);
    text += Paint(style, Color::kWarm, Wrap("  " + gain + "  " + AdviceWhere(view, one, locks), 4, style.width)) +
            "\n" + Wrap("      " + AdviceText(one), 6, style.width) + "\n" +
            Wrap("      because " + AdviceEvidence(view, one), 6, style.width) + "\n";
  }
  return text;
}

std::string UnblamedText(const analyze::View& view, const Style& style) {
  const analyze::Unblamed unblamed = analyze::MeasureUnblamed(view);
  std::string text;
  const auto line = [&text](uint64_t ns, const char* what) {
    if (ns != 0) text += "  " + Duration(ns) + "  " + what + "\n";
  };
  line(unblamed.nobody_working_ns, "while no thread worked that could be blamed");
  line(unblamed.lock_handoff_ns, "between a lock's release and the next holder's return");
  line(unblamed.unsampled_ns, "owed by threads that no sample came for any more");
  return text.empty() ? "" : Title(style, "Waiting that nobody is blamed for") + text;
}

std::string WaitsText(const analyze::View& view, const TextOptions& options) {
  using Key = std::tuple<OmptState, analyze::FunctionId, analyze::FunctionId, uint32_t>;  // state, region, place
  std::map<Key, Place> places;
  uint64_t all = 0;
  analyze::Estimate estimate;
  for (const analyze::WaitTotal& wait : view.waits) {
    if (wait.charge) continue;
    Place& place = places[{wait.state, wait.region, wait.place.function, wait.place.line}];
    place.sum.process = wait.process;
    place.sum.state = wait.state;
    place.sum.region = wait.region;
    place.sum.place = wait.place;
    place.sum.total_ns += wait.total_ns;
    place.sum.estimate.Add(wait.estimate);
    place.sum.count += wait.count;
    place.sum.max_ns = std::max(place.sum.max_ns, wait.max_ns);
    place.sum.last_count += wait.last_count;
    if (wait.last_count != 0) {
      Place::Last& last = place.last[{wait.process, wait.thread}];
      last.count += wait.last_count;
      last.by_ns += wait.last_by_ns;
    }
    all += wait.total_ns;
    estimate.Add(wait.estimate);
  }
  if (all == 0) return "";
  std::vector<std::pair<Key, Place>> sorted(places.begin(), places.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second.sum.total_ns > b.second.sum.total_ns; });
  RowsText<WaitRow> table(WaitColumns(), &Column<WaitRow>::text, WeighingOf(view));
  const size_t rows = std::min(sorted.size(), options.limit == 0 ? kWaitRows : options.limit);
  for (size_t i = 0; i < rows; ++i) {
    const Place& place = sorted[i].second;
    table.Add({.view = view, .wait = place.sum, .waited_ns = all, .last_text = LastText(place), .options = &options});
  }
  return Title(options.style, std::string("Where threads waited (thread time, ") + ExactWords(estimate) +
                                  "; shares of " + Measured(all, estimate) + ")") +
         table.Text(options.style) + Omitted(rows, sorted.size(), "places");
}

}  // namespace ompprof::report
