// The losses of a run with their places: which region, lock or code has how much of the threads' lost time. The first
// screen of the text report shows the largest.
#ifndef OMPPROF_PROFILER_ANALYZE_ACCOUNT_PLACED_LOSSES_H_
#define OMPPROF_PROFILER_ANALYZE_ACCOUNT_PLACED_LOSSES_H_

#include <cstdint>
#include <vector>

#include "profiler/analyze/account/efficiency.h"
#include "profiler/analyze/account/locks.h"
#include "profiler/analyze/view/view.h"
#include "profiler/model/symbolizer.h"

namespace ompprof::analyze {

struct PlacedLoss {
  LossKind kind = LossKind::kBarriers;
  uint64_t ns = 0;  // thread-time
  Estimate estimate;
  // Waits for barriers, tasks, locks and devices: the construct that has this time, kNoFunction outside of regions.
  // Other losses are the run's, and `where` has the largest part: a region, the program's serial function that idle
  // workers waited for, or a function of a library. kNoFunction: not known.
  FunctionId where = kNoFunction;
  const Lock* lock = nullptr;  // of a wait for a lock, if the lock is known
};

// Whether `where` has only the largest part of a loss of this kind.
bool IsPlacedInPart(LossKind kind);

// The largest loss first. The sum over a kind is the sum of LossesOf, except for waits that overlap the ends of their
// threads. `locks` must outlive the result. `symbolizer` may be null.
std::vector<PlacedLoss> PlaceLosses(const View& view, const Efficiency& efficiency, const Locks& locks,
                                    const model::Symbolizer* symbolizer);

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_ACCOUNT_PLACED_LOSSES_H_
