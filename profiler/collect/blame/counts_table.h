// A table of counts by key, for one thread. The thread's OMPT callbacks write it. The writer reads it at any time.
#ifndef OMPPROF_PROFILER_COLLECT_BLAME_COUNTS_TABLE_H_
#define OMPPROF_PROFILER_COLLECT_BLAME_COUNTS_TABLE_H_

#include <stdint.h>
#include <string.h>

#include <atomic>

#include "profiler/collect/base/os.h"

namespace ompprof::collect {

// `Counts` has a member `key` of type `Key`. A Key has == and Hash(). A zeroed table is empty; a table never shrinks.
template <class Counts, class Key>
class CountsTable {
 public:
  static constexpr uint32_t kMaxKeys = 8192;

  // The counts of `key`, made if necessary. NULL if the table has `most` other keys, or memory is exhausted. Called by
  // the owner, in callbacks.
  Counts* Find(const Key& key, uint32_t most = kMaxKeys) {
    const uint64_t mixed = key.Hash() * 0x9e3779b97f4a7c15ull;
    uint32_t slot = static_cast<uint32_t>(mixed >> 33 ^ mixed >> 50) & (kSlots - 1);
    for (; slots_[slot] != 0; slot = (slot + 1) & (kSlots - 1)) {
      Counts* counts = entry(slots_[slot] - 1u);
      if (counts->key == key) return counts;
    }
    const uint32_t index = size_.load(std::memory_order_relaxed);
    if (index >= most) return nullptr;
    if (index % kBlock == 0 && blocks_[index / kBlock].load(std::memory_order_relaxed) == nullptr) {
      auto* block = static_cast<Counts*>(MapMemory(sizeof(Counts) * kBlock));
      if (block == nullptr) return nullptr;
      blocks_[index / kBlock].store(block, std::memory_order_release);
    }
    Counts* counts = entry(index);
    counts->key = key;
    slots_[slot] = static_cast<uint16_t>(index + 1);
    size_.store(index + 1, std::memory_order_release);
    return counts;
  }

  // Empties the table for another thread, after the writer has read it. Mapped memory stays mapped.
  void Clear() {
    const uint32_t size = size_.load(std::memory_order_relaxed);
    if (size == 0) return;
    for (uint32_t first = 0; first < size; first += kBlock)
      memset(static_cast<void*>(entry(first)), 0, sizeof(Counts) * (size - first < kBlock ? size - first : kBlock));
    memset(slots_, 0, sizeof(slots_));
    size_.store(0, std::memory_order_relaxed);
  }

  // For the writer: entries 0 .. size() - 1.
  uint32_t size() const { return size_.load(std::memory_order_acquire); }
  Counts* entry(uint32_t index) { return &blocks_[index / kBlock].load(std::memory_order_acquire)[index % kBlock]; }

 private:
  static constexpr uint32_t kBlock = 64;
  static constexpr uint32_t kSlots = 16384;

  std::atomic<uint32_t> size_;
  std::atomic<Counts*> blocks_[kMaxKeys / kBlock];
  uint16_t slots_[kSlots];  // index + 1 of an entry; only the owner reads it
};

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_BLAME_COUNTS_TABLE_H_
