// What the profiler itself took of the run, in words. The first screen, the page and the JSON report have it.
#ifndef OMPPROF_PROFILER_REPORT_OVERHEAD_TEXT_H_
#define OMPPROF_PROFILER_REPORT_OVERHEAD_TEXT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "profiler/analyze/view.h"

namespace ompprof::report {

// Samples in the profiler's own code, in percent of all by weight.
double OwnPercent(const analyze::View& view);

// "ompprof itself: 0.8 % of the CPU time"
std::string OwnText(const analyze::View& view);

// What to do about it, a sentence; empty up to 5 %.
std::string OwnWarning(const analyze::View& view);

// OMPT events of a class of which some were not measured, since that would have cost more than --max-overhead allows.
// Of all processes together.
struct GovernedEvents {
  uint32_t event_class;  // EventClass
  std::string name;      // "task", "lock"
  uint64_t events = 0;
  uint64_t observed = 0;  // measured, each

  double observed_fraction() const {
    return events == 0 ? 1 : static_cast<double>(observed) / static_cast<double>(events);
  }
};

// By class.
std::vector<GovernedEvents> GovernedIn(const analyze::View& view);

// "task", "task_wait", "barrier", "lock", "region", "work"
std::string ClassName(uint32_t event_class);

// What is estimated and why, a sentence for each class.
std::vector<std::string> GovernedNotes(const analyze::View& view);

// "3 %", "0.5 %": SamplingFacts::max_overhead_permille.
std::string BudgetText(uint32_t permille);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_OVERHEAD_TEXT_H_
