#include "profiler/report/sections/overhead.h"

#include <algorithm>
#include <iterator>
#include <map>

#include "profiler/analyze/view/confidence.h"
#include "profiler/report/basics/names_text.h"
#include "profiler/report/basics/units.h"

namespace ompprof::report {
namespace {

constexpr double kMuchPercent = 5;

// The weight of the samples. For a whole run by CPU time, all of the processes' CPU time if this is more, with the
// profiler's own thread: threads may block the signal, or end before their first sample.
uint64_t Whole(const analyze::View& view) {
  uint64_t cpu_ns = 0;
  if (WeighsNanoseconds(view) && view.run.first().sampling.clock == "cpu" && !view.selection.any()) {
    for (const analyze::ProcessFacts& process : view.run.processes) cpu_ns += process.cpu_ns + process.helper_cpu_ns;
  }
  return std::max(view.total_weight, cpu_ns);
}

double PercentOf(const analyze::View& view, uint64_t weight) {
  return 100 * static_cast<double>(weight) / static_cast<double>(Whole(view));
}

// The error of the sampled part of OwnPercent.
double OwnErrorPercent(const analyze::View& view) {
  return PercentOf(view, analyze::WeightError(view, view.own_weight));
}

// What takes most of the profiler's own time, and the option that takes less of it, if there is one.
std::string WhatCosts(const analyze::View& view) {
  uint64_t unsampled_ns = 0, helper_ns = 0;
  bool waits = false, each = false;
  for (const analyze::ProcessFacts& process : view.run.processes) {
    unsampled_ns += WeighsNanoseconds(view) ? process.unsampled_own_ns : 0;
    helper_ns += WeighsNanoseconds(view) ? process.helper_cpu_ns : 0;
    waits = waits || (!process.sampling.no_waits && !process.runtimes.empty());
    each = each || process.sampling.max_overhead_permille == 0;
  }
  const uint64_t signals_ns = unsampled_ns - std::min(helper_ns, unsampled_ns);
  if (helper_ns > std::max(signals_ns, view.own_weight))
    return "ompprof's own thread, which writes the profile, takes most of this. The longer the run, the less it takes";
  if (signals_ns > view.own_weight) return "the samples take most of this, and a lower -F takes fewer";
  if (!waits) return "its work in the program's calls takes most of this, and no option takes less";
  return std::string("the program's OpenMP events take most of this, and record ") +
         (each ? "without --max-overhead=0 measures fewer" : "--waits=off does not measure them");
}

}  // namespace

uint64_t UnsampledOwnNs(const analyze::View& view) {
  uint64_t ns = 0;
  if (!WeighsNanoseconds(view) || view.selection.any()) return ns;  // known of the whole run only
  for (const analyze::ProcessFacts& process : view.run.processes) ns += process.unsampled_own_ns;
  return ns;
}

uint64_t RuntimeOwnNs(const analyze::View& view) {
  uint64_t ns = 0;
  if (!WeighsNanoseconds(view) || view.selection.any()) return ns;
  for (const analyze::ProcessFacts& process : view.run.processes) ns += process.runtime_own_ns;
  return ns;
}

double OwnPercent(const analyze::View& view) {
  // What signals cost is an estimate, and may be more than a short process has used.
  const uint64_t ns = view.own_weight + UnsampledOwnNs(view) + RuntimeOwnNs(view);
  return view.total_weight == 0 ? 0 : std::min(100.0, PercentOf(view, ns));
}

std::string OwnShareText(const analyze::View& view) {
  const double error = OwnErrorPercent(view);
  return Percent(OwnPercent(view) / 100) + (error > kMuchPercent ? " ± " + Percent(error / 100) : "") + " of the " +
         WeightTitle(view) + (WeighsNanoseconds(view) ? " time" : "");
}

std::string OwnText(const analyze::View& view) { return "ompprof itself: " + OwnShareText(view); }

std::string OwnWarning(const analyze::View& view) {
  // A few samples show much by chance.
  if (view.total_weight == 0 || view.selection.any() || OwnPercent(view) - OwnErrorPercent(view) <= kMuchPercent)
    return "";
  return OwnText(view) + ", which makes the run longer; " + WhatCosts(view);
}

std::vector<GovernedEvents> GovernedIn(const analyze::View& view) {
  const analyze::RunFacts& run = view.run;
  std::map<uint32_t, GovernedEvents> classes;
  for (const analyze::ProcessFacts& process : run.processes) {
    for (const analyze::GovernedFacts& governed : process.governed) {
      GovernedEvents& all = classes[governed.event_class];
      all.event_class = governed.event_class;
      all.events += governed.events;
      all.observed += governed.observed;
    }
  }
  std::vector<GovernedEvents> list;
  for (auto& [event_class, governed] : classes) {
    governed.name = ClassName(event_class);
    list.push_back(std::move(governed));
  }
  return list;
}

std::string ClassName(uint32_t event_class) {
  static const char* const kNames[] = {"", "task", "task_wait", "barrier", "lock", "region", "work"};
  return event_class > 0 && event_class < std::size(kNames) ? kNames[event_class]
                                                            : "class " + std::to_string(event_class);
}

std::string BudgetText(uint32_t permille) {
  return std::to_string(permille / 10) + (permille % 10 != 0 ? "." + std::to_string(permille % 10) : "") + " %";
}

std::vector<std::string> GovernedNotes(const analyze::View& view) {
  static const char* const kWaits[] = {"",           "task waits",   "waits for tasks",  "barrier waits",
                                       "lock waits", "region times", "worksharing times"};
  static const char* const kEvents[] = {"", "task", "taskwait", "barrier", "lock", "region", "worksharing"};
  const analyze::RunFacts& run = view.run;
  std::vector<std::string> notes;
  for (const GovernedEvents& governed : GovernedIn(view)) {
    if (governed.observed >= governed.events) continue;
    const bool known = governed.event_class < std::size(kWaits);
    // The budget of a process that exceeded it.
    uint32_t permille = 0;
    for (const analyze::ProcessFacts& process : run.processes) {
      for (const analyze::GovernedFacts& known_class : process.governed) {
        if (known_class.event_class == governed.event_class) permille = process.sampling.max_overhead_permille;
      }
    }
    notes.push_back((known ? kWaits[governed.event_class] : "waits of " + governed.name) +
                    std::string(" are estimated: ") + Count(governed.events) + " " +
                    (known ? kEvents[governed.event_class] : governed.name) + " events would have cost more than " +
                    BudgetText(permille) + " (--max-overhead); --max-overhead=0 measures each");
  }
  return notes;
}

}  // namespace ompprof::report
