// Keeps what OMPT events cost within --max-overhead: says which waits are timed exactly and which are estimated.
//
// Each thread's handler adds up what the thread's events cost since its sample before: their counts times what an event
// costs that is timed (kCosts in governor.cc), corrected by the share of samples that fell into the collector's own
// code. Where that is more than the user agreed to, waits of that group are estimated from then on, in windows of time
// that take as much as is allowed: see window_clock.h. Samples, call paths, states and region splicing do not depend on
// it.
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
  // Waits of that group that begin now are estimated. In callbacks.
  bool Estimates(Governed group) const {
    return __builtin_expect(estimates_[static_cast<uint32_t>(group)].load(std::memory_order_acquire), false);
  }

  // A sample of the calling thread, which stands for `cpu_ns` of its CPU time. `own`: it fell into the collector's
  // code. Async-signal-safe.
  void Account(ThreadState* thread, uint64_t cpu_ns, bool own);

  // What windows say of blame in teams is to be multiplied by this, as waits are (EstimateScale): what all waits
  // together have come to. Set by the writer thread.
  double BlameScale() const { return blame_scale_.load(std::memory_order_relaxed); }
  void SetBlameScale(double scale) {
    constexpr double kMost = 4;
    blame_scale_.store(scale < 1 / kMost ? 1 / kMost : scale > kMost ? kMost : scale, std::memory_order_relaxed);
  }

  // A forked child begins exactly.
  void Forget();

 private:
  void Decide(ThreadState* thread);
  // Plans the next window, if it is time for one.
  void PlanWindow(uint64_t now_ns);
  // Of the next window.
  uint64_t Length() const;

  std::atomic<bool> estimates_[kGovernedGroups]{};
  std::atomic<uint64_t> needed_ns_[kGovernedGroups]{};  // when a thread last found that necessary
  std::atomic<uint64_t> interval_ns_{0};                // between windows, on average
  std::atomic<uint64_t> next_window_ns_{0};
  std::atomic<double> blame_scale_{1};
};

extern Governor governor;

// Sums over threads. Writer thread only.
struct GovernedTotals {
  struct Class {
    uint64_t events;
    uint64_t unobserved;
  };
  Class classes[fields::kClasses];

  void Add(const ThreadState& thread);
};

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_BLAME_GOVERNOR_H_
