#include "profiler/report/sections/waits.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "profiler/analyze/account/efficiency.h"
#include "profiler/report/basics/names_text.h"
#include "profiler/report/basics/text_table.h"
#include "profiler/report/basics/units.h"
#include "profiler/report/columns/rows_text.h"
#include "profiler/report/columns/wait_columns.h"
#include "proto/ompt_state.h"

namespace ompprof::report {
namespace {

using Align = TextTable::Align;
using Fit = TextTable::Fit;

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

std::string LastText(const Place& place) {
  if (place.sum.last_count == 0) return "";
  const auto& [thread, most] =
      *std::max_element(place.last.begin(), place.last.end(),
                        [](const auto& a, const auto& b) { return a.second.count < b.second.count; });
  return "thread " + std::to_string(thread.second) + " in " + Share(most.count, place.sum.last_count) + " of " +
         Count(place.sum.last_count) + ", by " + Duration(most.by_ns / most.count);
}

}  // namespace

std::string UnblamedText(const analyze::View& view, const Style& style) {
  const analyze::Unblamed unblamed = analyze::MeasureUnblamed(view);
  std::string text;
  const auto line = [&](uint64_t ns, const char* what) {
    if (ns != 0) text += Sentence(style, Duration(ns) + "  " + what);
  };
  line(unblamed.nobody_working_ns, "while no thread was working that could be blamed");
  line(unblamed.lock_handoff_ns, "between a lock's release and the next holder's return");
  line(unblamed.unsampled_ns, "charged to threads that took no further sample");
  return text.empty() ? "" : Title(style, "Waiting that nobody is blamed for") + text;
}

std::string WaitsText(const analyze::View& view, const TextOptions& options, size_t usual) {
  // State, region, place.
  using Key = std::tuple<OmptState, analyze::FunctionId, analyze::FunctionId, uint32_t, uint32_t>;
  std::map<Key, Place> places;
  uint64_t all = 0;
  analyze::Estimate estimate;
  for (const analyze::WaitTotal& wait : view.waits) {
    if (wait.charge) continue;
    Place& place = places[{wait.state, wait.region, wait.place.function, wait.place.line, wait.place.part}];
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
  const size_t rows = std::min(sorted.size(), options.limit == 0 ? usual : options.limit);
  for (size_t i = 0; i < rows; ++i) {
    const Place& place = sorted[i].second;
    table.Add({.view = view, .wait = place.sum, .waited_ns = all, .last_text = LastText(place), .options = &options});
  }
  return Title(options.style, std::string("Where threads waited (thread time, ") + ExactWords(estimate) +
                                  "; shares of " + Measured(all, estimate) + ")") +
         table.Text(options.style) + Omitted(rows, sorted.size(), "places");
}

}  // namespace ompprof::report
