// Exact totals of one thread's waits, by kind and place. Written by the thread's OMPT callbacks, read by the writer at
// any time.
#ifndef OMPPROF_PROFILER_COLLECT_OMPT_WAIT_STATS_H_
#define OMPPROF_PROFILER_COLLECT_OMPT_WAIT_STATS_H_

#include <stdint.h>

#include <atomic>

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
  uint64_t pending_ns;               // owner's: charges that wait for a call path to be worth its price
  uint64_t written;                  // writer's own: count + last_count at the last write
};

class WaitStats {
 public:
  // NULL once kMaxKeys or memory is reached. Owner, in callbacks.
  WaitCounts* Find(const WaitKey& key);

  // Writer: entries 0 .. size() - 1.
  uint32_t size() const { return size_.load(std::memory_order_acquire); }
  WaitCounts* entry(uint32_t index) { return &blocks_[index / kBlock].load(std::memory_order_acquire)[index % kBlock]; }

 private:
  static constexpr uint32_t kBlock = 64;
  static constexpr uint32_t kMaxKeys = 8192;
  static constexpr uint32_t kSlots = 16384;

  std::atomic<uint32_t> size_;
  std::atomic<WaitCounts*> blocks_[kMaxKeys / kBlock];
  uint16_t slots_[kSlots];  // index + 1 of an entry; owner's
};

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_OMPT_WAIT_STATS_H_
