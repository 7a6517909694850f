// Predicts from the profile how long the run takes after a change. Each prediction lists its assumptions. `ompprof
// whatif` prints predictions.
#ifndef OMPPROF_PROFILER_ANALYZE_ACCOUNT_WHAT_IF_H_
#define OMPPROF_PROFILER_ANALYZE_ACCOUNT_WHAT_IF_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "profiler/analyze/account/efficiency.h"
#include "profiler/analyze/view/view.h"

namespace ompprof::analyze {

struct Prediction {
  uint64_t before_ns = 0;  // wall time of the run as recorded
  uint64_t after_ns = 0;
  Estimate estimate;                     // of after_ns, from the error of the waits
  bool error_known = true;               // false: after_ns is estimated, with an unknown error
  std::vector<std::string> assumptions;  // a sentence each
};

class WhatIf {
 public:
  WhatIf(const View& view, const Efficiency& efficiency) : view_(view), efficiency_(efficiency) {}

  // The region's threads do equal work.
  Prediction Balanced(const Region& region) const;

  // The region's loop is distributed to free threads in chunks of `chunk` iterations.
  Prediction Dynamic(const Region& region, uint64_t chunk) const;

  // No thread waits for some locks. `is_lock` selects the waits for these locks.
  Prediction WithoutLock(const std::function<bool(const WaitTotal&)>& is_lock) const;

  // Why WithThreads has no answer, a sentence; empty: it has one.
  std::string WithThreadsRefusal(uint32_t threads, uint32_t processors) const;

  // Every team has `threads` threads, on a machine with as many processors as given. 0: the recording machine's.
  Prediction WithThreads(uint32_t threads, uint32_t processors = 0) const;

 private:
  // The mean number of teams that ran at a time, in several processes or with several creating threads. They share the
  // saving of their summed time, and the processors.
  double TeamsAtATime() const;

  // The run without `saved_ns` of the region's elapsed time.
  Prediction Saving(const Region& region, double saved_ns) const;

  const View& view_;
  const Efficiency efficiency_;
};

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_ACCOUNT_WHAT_IF_H_
