// The threads outside regions. Workers that have left a region and are in no other wait are idle. Threads that the
// program made work, serially or as primaries of regions. One object for the process; OMPT callbacks change it, and the
// handler reads it.
#ifndef OMPPROF_PROFILER_COLLECT_BLAME_OUTSIDE_REGIONS_H_
#define OMPPROF_PROFILER_COLLECT_BLAME_OUTSIDE_REGIONS_H_

#include <stdint.h>

#include <atomic>

#include "profiler/collect/blame/blame_clock.h"

namespace ompprof::collect {

struct OutsideRegions {
  BlameClock clock;   // its lock also guards `parallel` and `parallel_since_ns`
  uint32_t parallel;  // regions of more than one thread, none of them inside another
  uint64_t parallel_since_ns;
  std::atomic<uint64_t> parallel_ns;         // without the present stretch
  std::atomic<uint64_t> pending_ns;          // debt that threads had when they ended
  std::atomic<uint64_t> collecting_from_ns;  // debt from before this time is not in the profile
  std::atomic<uint64_t> cut_ns;              // when the profile ended; 0: it has not ended

  // `more` workers become idle at `now_ns`; below 0, workers become busy.
  void AddIdle(int32_t more, uint64_t now_ns) {
    clock.Lock();
    clock.Advance(now_ns, 0);
    clock.Add(Participation::kWaiting, more);
    clock.Unlock();
  }
};

extern OutsideRegions outside_regions;

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_BLAME_OUTSIDE_REGIONS_H_
