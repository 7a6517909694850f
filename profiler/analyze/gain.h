// Potential gain: the wall time that the run would save if one inefficiency of a region were gone and all else stayed.
#ifndef OMPPROF_PROFILER_ANALYZE_GAIN_H_
#define OMPPROF_PROFILER_ANALYZE_GAIN_H_

#include <cstdint>
#include <string>
#include <vector>

#include "profiler/analyze/view.h"

namespace ompprof::analyze {

enum class Cause {
  kImbalance,      // its threads wait at its barriers because their work differs
  kSerialization,  // they wait for locks, criticals, ordered, atomics
  kTaskWait,       // they wait in taskwait or taskgroup with nothing to run
  kForkJoin,       // making and ending the region
  kScheduling,     // handing out iterations
  kTasking,        // making and finding tasks
};
inline constexpr int kCauses = 6;

// "imbalance", "serialization", "task_wait", "fork_join", "scheduling", "tasking"
const char* CauseName(Cause cause);

struct Gains {
  uint64_t ns[kCauses] = {};  // by Cause; wall time

  uint64_t operator[](Cause cause) const { return ns[static_cast<int>(cause)]; }
  uint64_t total() const;
};

// Waiting is wall time lost in one of n threads: what n threads lose together, evenly shared out, is n times what the
// region takes longer. A region cannot become shorter than the longest of its threads' work for what does not move
// work between threads, nor than its work on the processors there are.
Gains PotentialGains(const View& view, const Region& region);

// How long the region's instances would take without `lost_ns` of its threads' time, in which they wait; summed over
// the instances. `moves_work`: threads may take over work from each other.
uint64_t ElapsedWithout(const View& view, const Region& region, uint64_t lost_ns, bool moves_work);

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_GAIN_H_
