// The profiler's own time, in words. The text report's first screen, the page and the JSON report show it.
#ifndef OMPPROF_PROFILER_REPORT_SECTIONS_OVERHEAD_H_
#define OMPPROF_PROFILER_REPORT_SECTIONS_OVERHEAD_H_

#include <cstdint>
#include <string>
#include <vector>

#include "profiler/analyze/view/view.h"

namespace ompprof::report {

// CPU time of the profiler that no sample shows: its signals and its own thread. 0 where weights are no times, and of a
// part of the run.
uint64_t UnsampledOwnNs(const analyze::View& view);

// Estimated CPU time that the OpenMP runtimes take for tasks because a tool is there. 0 as UnsampledOwnNs.
uint64_t RuntimeOwnNs(const analyze::View& view);

// The profiler's own time, its samples, UnsampledOwnNs and RuntimeOwnNs, in percent of the total weight. Of a whole run
// by CPU time, in percent of all of the processes' CPU time if this is more.
double OwnPercent(const analyze::View& view);

// "0.8 % of the CPU time". With few samples: "40.2 % ± 21.5 % of the CPU time".
std::string OwnShareText(const analyze::View& view);

// "ompprof itself: 0.8 % of the CPU time"
std::string OwnText(const analyze::View& view);

// A sentence with the remedy. Empty unless the share is above 5 % by more than its error.
std::string OwnWarning(const analyze::View& view);

// The OMPT events of a class that was not measured in full, because of --max-overhead. All processes together.
struct GovernedEvents {
  uint32_t event_class;  // EventClass
  std::string name;      // "task", "lock"
  uint64_t events = 0;
  uint64_t observed = 0;  // the events that were measured

  double observed_fraction() const {
    return events == 0 ? 1 : static_cast<double>(observed) / static_cast<double>(events);
  }
};

// The classes that were not measured in full, by class.
std::vector<GovernedEvents> GovernedIn(const analyze::View& view);

// "task", "task_wait", "barrier", "lock", "region", "work"
std::string ClassName(uint32_t event_class);

// A sentence for each class: the estimated figures, and the reason.
std::vector<std::string> GovernedNotes(const analyze::View& view);

// SamplingFacts::max_overhead_permille as text: "3 %", "0.5 %".
std::string BudgetText(uint32_t permille);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_SECTIONS_OVERHEAD_H_
