// The governor keeps the cost of OMPT events within --max-overhead. It decides which waits are timed exactly and which
// are estimated. The handler calls Account for each sample; OMPT callbacks ask Estimates.
//
// Each thread's handler adds up the cost of the thread's events since its last sample. The cost is the number of events
// times the price of a timed event (kCosts in governor.cc), corrected by the share of samples in the collector's own
// code. If the cost exceeds the user's limit, waits of that group are estimated from then on, in windows of time. The
// windows take as much time as the limit allows: see window_clock.h. Samples, call paths, states and region splicing do
// not depend on the governor.
#ifndef OMPPROF_PROFILER_COLLECT_BLAME_GOVERNOR_H_
#define OMPPROF_PROFILER_COLLECT_BLAME_GOVERNOR_H_

#include <stdint.h>

#include <atomic>

#include "profiler/collect/blame/governed_costs.h"
#include "profiler/collect/thread/thread_state.h"
#include "proto/callpath_profile_fields.h"

namespace ompprof::collect {

class Governor {
 public:
  // Whether waits of this group that begin now are estimated. Called in callbacks.
  bool Estimates(Governed group) const {
    return __builtin_expect(estimates_[static_cast<uint32_t>(group)].load(std::memory_order_acquire), false);
  }

  // Accounts for a sample of the calling thread that stands for `cpu_ns` of its CPU time. `own`: the sample fell into
  // the collector's code. Async-signal-safe.
  void Account(ThreadState* thread, uint64_t cpu_ns, bool own);

  // The factor for blame that windows find in teams. Waits have the factor EstimateScale; this factor brings blame to
  // the sum of all waits. The writer thread sets it.
  double BlameScale() const { return blame_scale_.load(std::memory_order_relaxed); }
  void SetBlameScale(double scale) {
    constexpr double kMost = 4;
    blame_scale_.store(scale < 1 / kMost ? 1 / kMost : scale > kMost ? kMost : scale, std::memory_order_relaxed);
  }

  // For a forked child, which begins with exact waits.
  void Forget();

 private:
  void Decide(ThreadState* thread);
  // Plans the next window, if the time for it has come.
  void PlanWindow(uint64_t now_ns);
  // The length of the next window.
  uint64_t Length() const;

  std::atomic<bool> estimates_[kGovernedGroups]{};
  std::atomic<uint64_t> needed_ns_[kGovernedGroups]{};  // when a thread last found the estimate necessary
  std::atomic<uint64_t> interval_ns_{0};                // between windows, on average
  std::atomic<uint64_t> next_window_ns_{0};
  std::atomic<double> blame_scale_{1};
};

extern Governor governor;

// Sums of events over threads. Writer thread only.
struct GovernedTotals {
  struct Class {
    uint64_t events;
    uint64_t unobserved;
  };
  Class classes[fields::kEventClassCount];

  void Add(const ThreadState& thread);
};

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_BLAME_GOVERNOR_H_
