// Exact counts of one thread's parallel regions by construct, from parallel_begin and parallel_end. Written by the
// encountering thread's callbacks, read by the writer at any time.
#ifndef OMPPROF_PROFILER_COLLECT_OMPT_REGION_STATS_H_
#define OMPPROF_PROFILER_COLLECT_OMPT_REGION_STATS_H_

#include <stdint.h>

#include <atomic>

namespace ompprof::collect {

struct RegionCounts {
  uint64_t codeptr_ra;
  uint32_t level;
  uint32_t epoch;
  bool league;
  // One writer, the encountering thread: relaxed loads and stores, no read-modify-write.
  std::atomic<uint64_t> invocations;
  std::atomic<uint64_t> ended;
  std::atomic<uint64_t> elapsed_ns;
  std::atomic<uint64_t> elapsed_min_ns;
  std::atomic<uint64_t> elapsed_max_ns;
  std::atomic<uint64_t> actual_sum;
  // Of ended regions, summed over instances. Thread-time unless it says wall.
  std::atomic<uint64_t> end_wait_ns;       // in the barrier at the region's end
  std::atomic<uint64_t> end_wait_path_ns;  // the part that is in the profile with its call path
  std::atomic<uint64_t> useful_ns;         // in the region before that, without waits
  std::atomic<uint64_t> useful_max_ns;     // of the instance's busiest thread
  std::atomic<uint64_t> useful_min_ns;     // of its idlest
  std::atomic<uint64_t> team_ns;           // elapsed times the team's size
  std::atomic<uint64_t> partial_ns;        // wall time with fewer than all threads of the team busy
  std::atomic<uint64_t> sync_wait_ns;      // in all barriers, taskwaits and taskgroups, with nothing to run
  std::atomic<uint64_t> outer_blame_ns;    // waited by threads outside the region, for which it is to blame
  std::atomic<uint64_t> unblamed_ns;       // of these two, while no thread of the team worked, or when all had come
  std::atomic<uint32_t> actual_min;
  std::atomic<uint32_t> actual_max;
  std::atomic<uint32_t> requested_min;
  std::atomic<uint32_t> requested_max;
  uint64_t written;  // writer's own: invocations + ended at the last write

  // An instance begins, and ends. That thread.
  void AddBegin(uint32_t requested_team);
  void AddEnd(uint64_t elapsed, uint32_t team);
};

class RegionStats {
 public:
  // The counts of (codeptr_ra, level, epoch); NULL once kMaxConstructs or memory is reached. Owner, in callbacks.
  RegionCounts* Find(uint64_t codeptr_ra, uint32_t level, uint32_t epoch, bool league);

  // Writer: entries 0 .. size() - 1.
  uint32_t size() const { return size_.load(std::memory_order_acquire); }
  RegionCounts* entry(uint32_t index) {
    return &blocks_[index / kBlock].load(std::memory_order_acquire)[index % kBlock];
  }

 private:
  static constexpr uint32_t kBlock = 64;
  static constexpr uint32_t kMaxConstructs = 8192;
  static constexpr uint32_t kSlots = 16384;

  std::atomic<uint32_t> size_;
  std::atomic<RegionCounts*> blocks_[kMaxConstructs / kBlock];
  uint16_t slots_[kSlots];  // index + 1 of an entry; owner's
};

inline void Add(std::atomic<uint64_t>* counter, uint64_t amount) {
  counter->store(counter->load(std::memory_order_relaxed) + amount, std::memory_order_relaxed);
}

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_OMPT_REGION_STATS_H_
