// The threads outside regions: workers that have left one and are in no other wait; those that the program made work,
// serially or as primaries of regions. One for the process; used in OMPT callbacks, and read in the handler.
#ifndef OMPPROF_PROFILER_COLLECT_BLAME_OUTSIDE_H_
#define OMPPROF_PROFILER_COLLECT_BLAME_OUTSIDE_H_

#include <stdint.h>

#include <atomic>

#include "profiler/collect/blame/blame_clock.h"

namespace ompprof::collect {

struct OutsideRegions {
  BlameClock clock;   // its lock also guards the next two
  uint32_t parallel;  // regions of more than one thread, none of them inside another
  uint64_t parallel_since_ns;
  std::atomic<uint64_t> parallel_ns;         // but for what is going on
  std::atomic<uint64_t> pending_ns;          // blame that threads took with them when they ended
  std::atomic<uint64_t> collecting_from_ns;  // what was owed before this is not in the profile
  std::atomic<uint64_t> cut_ns;              // when the profile ended, 0: it has not

  // So many more workers are idle from here on.
  void AddIdle(int32_t more, uint64_t now_ns) {
    clock.Lock();
    clock.Advance(now_ns, 0);
    clock.Add(Doing::kWaiting, more);
    clock.Unlock();
  }
};

extern OutsideRegions outside;

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_BLAME_OUTSIDE_H_
