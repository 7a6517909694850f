// The waits of one thread, a part of ThreadState: its open waits, their sums by place, and the cost of timing them.
#ifndef OMPPROF_PROFILER_COLLECT_BLAME_THREAD_WAITS_H_
#define OMPPROF_PROFILER_COLLECT_BLAME_THREAD_WAITS_H_

#include <stdint.h>

#include <atomic>

#include "profiler/collect/blame/governed_costs.h"
#include "profiler/collect/blame/wait_lengths.h"
#include "profiler/collect/blame/wait_stack.h"
#include "profiler/collect/blame/wait_stats.h"
#include "profiler/collect/cct/sample_ring.h"

namespace ompprof::collect {

// The thread's own callbacks write all of it. The writer reads the sums at any time.
struct ThreadWaits {
  WaitStack stack;
  uint64_t waited_ns;       // of all waits so far
  uint64_t idle_since_ns;   // begin of a worker's time between regions; 0: not between regions
  std::atomic<bool> ended;  // the thread or the profile has ended, whichever came first
  WaitStats* stats;
  WaitLengthsPool lengths;
  // The last places of the thread's estimated waits, by codeptr_ra.
  static constexpr uint32_t kPlaces = 16;
  WaitCounts* places[kPlaces];
  GovernedCosts costs;

  // For the timeline.
  std::atomic<uint64_t> intervals_lost;  // stretches of waiting for which the ring had no room
  Sample cut_intervals[2];  // the thread's wait at the end of the profile, and its idle time; time_ns 0: none

  // Clears the data for another thread, which continues the table.
  void Reset() {
    stack.CutTo(0);
    waited_ns = 0;
    idle_since_ns = 0;
    ended.store(false, std::memory_order_relaxed);
    if (stats != nullptr) stats->Clear();
    lengths.Clear();
    for (auto& place : places) place = nullptr;
    costs.Reset();
    intervals_lost.store(0, std::memory_order_relaxed);
    for (Sample& cut : cut_intervals) cut.time_ns = 0;
  }
};

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_BLAME_THREAD_WAITS_H_
