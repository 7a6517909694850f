// The places where locks were initialized. A lock on the heap or on a stack is no variable of a module, so only the
// place that made it can name it.
//
// The table has a fixed size: in a program that makes more locks than fit, the first ones have names. OMPT callbacks in
// the program's threads call it; lock-free.
#ifndef OMPPROF_PROFILER_COLLECT_LOCKS_LOCK_ORIGINS_H_
#define OMPPROF_PROFILER_COLLECT_LOCKS_LOCK_ORIGINS_H_

#include <stdint.h>

#include <atomic>

#include "profiler/collect/tasks/region.h"

namespace ompprof::collect {

struct LockOrigin {
  uint64_t wait_id;
  uint64_t codeptr_ra;  // of the initialization
  uint32_t kind;        // ompt_mutex_t
  uint32_t epoch;       // of the modules, for the addresses
  // The call path of the initialization; node 0: not taken.
  uint32_t tree;
  uint32_t node;
  RegionRef splice;
  std::atomic<bool> complete;
};

class LockOrigins {
 public:
  static constexpr uint32_t kMaxLocks = 8192;

  // The result of Init.
  struct Made {
    LockOrigin* origin;  // new, Publish completes it; NULL: the lock was known before, or there is no room
    bool wants_path;     // this call has made few locks so far
    bool overflowed;     // there was no room for the first time
  };

  // lock_init. A lock that the same call makes again at the same address keeps its number, and so its name. Any other
  // lock at the address is a new lock.
  Made Init(uint64_t wait_id, uint64_t codeptr_ra, uint32_t kind, uint32_t epoch);
  void Publish(LockOrigin* origin) { origin->complete.store(true, std::memory_order_release); }

  // lock_destroy: the program has destroyed the lock.
  void Destroy(uint64_t wait_id);

  // The number of the lock that is at this address now, from 1; 0: not known.
  uint32_t Find(uint64_t wait_id) const;

  // For the writer: the lock with this number; NULL if there is none yet.
  const LockOrigin* At(uint32_t number) const {
    if (number == 0 || number > kMaxLocks) return nullptr;
    const LockOrigin* origin = &origins_[number - 1];
    return origin->complete.load(std::memory_order_acquire) ? origin : nullptr;
  }

  // Called in a forked child, which has new trees.
  void ForgetPaths();

 private:
  // The most call paths for one call of omp_init_lock. A loop that makes a million locks must not pay for a million
  // walks, and its locks have the same path.
  static constexpr uint32_t kPathsPerPlace = 8;
  static constexpr uint32_t kSlots = 2 * kMaxLocks;
  static constexpr uint32_t kPlaces = 1024;
  static constexpr uint32_t kTries = 32;
  static constexpr uint32_t kDestroyed = 1u << 31;

  struct Slot {
    std::atomic<uint64_t> wait_id;
    std::atomic<uint32_t> number;  // with kDestroyed; 0: not known
  };
  struct Place {
    std::atomic<uint64_t> codeptr_ra;
    std::atomic<uint32_t> paths;
  };

  Slot* FindSlot(uint64_t wait_id, bool insert);
  bool TakePath(uint64_t codeptr_ra);

  std::atomic<uint32_t> size_;
  std::atomic<bool> overflowed_;
  Slot slots_[kSlots];
  Place places_[kPlaces];
  LockOrigin origins_[kMaxLocks];
};

extern LockOrigins lock_origins;

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_LOCKS_LOCK_ORIGINS_H_
