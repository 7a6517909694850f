// Potential gain: the wall time that the run saves if one inefficiency of a region disappears and all else stays. The
// region tables and the advice use it.
#ifndef OMPPROF_PROFILER_ANALYZE_ACCOUNT_GAIN_H_
#define OMPPROF_PROFILER_ANALYZE_ACCOUNT_GAIN_H_

#include <cstdint>
#include <string>
#include <vector>

#include "profiler/analyze/view/view.h"

namespace ompprof::analyze {

enum class Cause {
  kImbalance,      // threads wait at barriers because their work differs
  kSerialization,  // threads wait for locks, criticals, ordered, atomics
  kTaskWait,       // threads wait in taskwait or taskgroup with no task to run
  kForkJoin,       // creating and ending the region
  kScheduling,     // distributing iterations
  kTasking,        // creating and finding tasks
};
inline constexpr int kCauses = 6;

// "imbalance", "serialization", "task_wait", "fork_join", "scheduling", "tasking"
const char* CauseName(Cause cause);

// For people: "barriers", "locks", "tasks awaited", "fork and join", "scheduling", "tasking"
const char* CauseTitle(Cause cause);

struct Gains {
  uint64_t ns[kCauses] = {};  // by Cause; wall time

  uint64_t operator[](Cause cause) const { return ns[static_cast<int>(cause)]; }
  uint64_t total() const;
};

// A team of n threads that waits t of thread-time, evenly distributed, lengthens its region by t / n. Two bounds hold.
// A region cannot become shorter than the work of its busiest thread, if work does not move between threads. A region
// cannot become shorter than its work divided by the processors.
Gains PotentialGains(const View& view, const Region& region);

// The elapsed time of the region's instances, added up, without `lost_ns` of waiting (thread-time). `moves_work`:
// threads may take over work from each other. `work_ns`: CPU time of work that goes as well.
uint64_t ElapsedWithout(const View& view, const Region& region, uint64_t lost_ns, bool moves_work,
                        uint64_t work_ns = 0);

// The same without `lost_ns` of waiting at barriers, because the threads' work is equal. Where threads lacked
// processors, they waited at barriers for threads that did not run: equal work saves no more than the busiest thread's
// CPU time above the mean.
uint64_t ElapsedBalanced(const View& view, const Region& region, uint64_t lost_ns);

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_ACCOUNT_GAIN_H_
