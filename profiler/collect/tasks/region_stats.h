// Exact counts of one thread's parallel regions by construct, from parallel_begin and parallel_end. Written by the
// encountering thread's callbacks, read by the writer at any time.
#ifndef OMPPROF_PROFILER_COLLECT_TASKS_REGION_STATS_H_
#define OMPPROF_PROFILER_COLLECT_TASKS_REGION_STATS_H_

#include <stdint.h>

#include <atomic>

#include "profiler/collect/blame/counts_table.h"

namespace ompprof::collect {

struct RegionKey {
  uint64_t codeptr_ra;
  uint32_t level;  // number of regions around it
  uint32_t epoch;  // epoch of the modules, for the address
  bool league;     // a teams construct

  bool operator==(const RegionKey& other) const {
    return codeptr_ra == other.codeptr_ra && level == other.level && epoch == other.epoch && league == other.league;
  }
  uint64_t Hash() const { return codeptr_ra * 4 + level; }
};

struct RegionCounts {
  RegionKey key;
  // One thread writes, the encountering thread: relaxed loads and stores, no read-modify-write.
  std::atomic<uint64_t> invocations;
  std::atomic<uint64_t> ended;
  std::atomic<uint64_t> elapsed_ns;
  std::atomic<uint64_t> elapsed_min_ns;
  std::atomic<uint64_t> elapsed_max_ns;
  std::atomic<uint64_t> actual_sum;
  // Sums over ended instances. All are thread-time unless the comment says wall time.
  std::atomic<uint64_t> end_wait_ns;       // in the barrier at the region's end
  std::atomic<uint64_t> end_wait_path_ns;  // the part that is in the profile with its call path
  std::atomic<uint64_t> useful_ns;         // in the region before that barrier, without waits
  std::atomic<uint64_t> useful_max_ns;     // useful time of the instance's busiest thread
  std::atomic<uint64_t> useful_min_ns;     // useful time of the instance's least busy thread
  std::atomic<uint64_t> team_ns;           // elapsed time multiplied by the team's size
  std::atomic<uint64_t> partial_ns;        // wall time in which some thread of the team was not busy
  std::atomic<uint64_t> sync_wait_ns;      // in all barriers, taskwaits and taskgroups, with nothing to run
  std::atomic<uint64_t> outer_blame_ns;    // waits of threads outside the region, caused by the region
  std::atomic<uint64_t> unblamed_ns;       // the part of both in which no thread worked, or all had come
  std::atomic<uint64_t> estimated;         // ended instances with estimated waits
  std::atomic<uint32_t> actual_min;
  std::atomic<uint32_t> actual_max;
  std::atomic<uint32_t> requested_min;
  std::atomic<uint32_t> requested_max;
  std::atomic<bool> wants_path;  // any thread: the path of an instance is needed before its end
  uint64_t written;              // for the writer: invocations + ended at the last write

  // An instance begins, and ends. Only the encountering thread calls these.
  void AddBegin(uint32_t requested_team);
  void AddEnd(uint64_t elapsed, uint32_t team);
};

using RegionStats = CountsTable<RegionCounts, RegionKey>;

inline void Add(std::atomic<uint64_t>* counter, uint64_t amount) {
  counter->store(counter->load(std::memory_order_relaxed) + amount, std::memory_order_relaxed);
}

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_TASKS_REGION_STATS_H_
