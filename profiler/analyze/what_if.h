// How long the run would take if something of it were otherwise: predicted from the profile, each with what the
// prediction takes for granted.
#ifndef OMPPROF_PROFILER_ANALYZE_WHAT_IF_H_
#define OMPPROF_PROFILER_ANALYZE_WHAT_IF_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "profiler/analyze/efficiency.h"
#include "profiler/analyze/view.h"

namespace ompprof::analyze {

struct Prediction {
  uint64_t before_ns = 0;  // wall time of the run as recorded
  uint64_t after_ns = 0;
  Estimate estimate;                     // of after_ns, for the waits that it is reckoned from
  bool error_known = true;               // false: after_ns is estimated, and how far it may be off cannot be told
  std::vector<std::string> assumptions;  // a sentence each
};

class WhatIf {
 public:
  WhatIf(const View& view, const Efficiency& efficiency) : view_(view), efficiency_(efficiency) {}

  // The region's threads do equal work.
  Prediction Balanced(const Region& region) const;

  // The region's loop is shared out in chunks of `chunk` iterations, to whoever is free.
  Prediction Dynamic(const Region& region, uint64_t chunk) const;

  // Nobody waits for these locks. `is_lock` says which waits are meant.
  Prediction WithoutLock(const std::function<bool(const WaitTotal&)>& is_lock) const;

  // Every team has `threads` threads.
  Prediction WithThreads(uint32_t threads) const;

 private:
  // The mean number of teams that ran at a time: of several processes, and of several threads with teams of their own.
  // They share what is saved of their summed time, and the processors.
  double TeamsAtATime() const;

  // The run with `saved_ns` of the region's elapsed time gone.
  Prediction Saving(const Region& region, double saved_ns) const;

  const View& view_;
  const Efficiency efficiency_;
};

// Regions meant by what a person writes: the construct's whole name, "file.c:12", or the function's name. Several if it
// fits several.
std::vector<const Region*> FindRegions(const View& view, const std::string& text);

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_WHAT_IF_H_
