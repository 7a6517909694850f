// Exact totals of one thread's waits, by kind and place. Written by the thread's OMPT callbacks, read by the writer at
// any time.
#ifndef OMPPROF_PROFILER_COLLECT_OMPT_WAIT_STATS_H_
#define OMPPROF_PROFILER_COLLECT_OMPT_WAIT_STATS_H_

#include <stdint.h>

#include <atomic>

#include "profiler/collect/ompt/counts_table.h"

namespace ompprof::collect {

// What a total belongs to.
struct WaitKey {
  uint32_t state;        // ompt_state_t of the wait; ompt_state_idle between regions
  uint32_t epoch;        // of the modules, for the addresses
  uint64_t codeptr_ra;   // of the construct that waits; of a lock's charge: of its release
  uint64_t region;       // codeptr_ra of the innermost region, 0: none
  uint64_t wait_id;      // of a lock, critical, ordered or atomic
  uint64_t acquired_at;  // of a charge: codeptr_ra of the acquisition by the holder that is charged. 0: a wait
  uint32_t lock = 0;     // LockOrigins' number of the lock at wait_id, 0: not known

  bool operator==(const WaitKey& other) const {
    return codeptr_ra == other.codeptr_ra && region == other.region && wait_id == other.wait_id &&
           state == other.state && acquired_at == other.acquired_at && epoch == other.epoch &&
           lock == other.lock;
  }
  uint64_t Hash() const {
    return (codeptr_ra ^ acquired_at * 3) ^ region * 0xbf58476d1ce4e5b9ull ^ wait_id * 0x94d049bb133111ebull ^
           static_cast<uint64_t>(state) << 40 ^ static_cast<uint64_t>(lock) << 20;
  }
};

struct WaitCounts {
  WaitKey key;
  // One writer, the thread: relaxed loads and stores.
  std::atomic<uint64_t> count;
  std::atomic<uint64_t> total_ns;  // wall time waited; of a charge: time that others waited for this holder
  std::atomic<uint64_t> max_ns;
  std::atomic<uint64_t> path_ns;     // the part that is in the profile with its call path
  std::atomic<uint64_t> last_count;  // of a barrier: how often this thread was the last to arrive
  std::atomic<uint64_t> last_by_ns;  // and by how much after the one before it
  std::atomic<uint64_t> held_count;  // of a charge: acquisitions that were timed
  std::atomic<uint64_t> held_ns;     // and how long the lock was held then
  uint64_t pending_ns;               // owner's: charges that wait for a call path to be worth its price
  uint64_t written;                  // writer's own: count + last_count at the last write
};

using WaitStats = CountsTable<WaitCounts, WaitKey>;

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_OMPT_WAIT_STATS_H_
