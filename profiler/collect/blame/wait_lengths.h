// How many of a thread's waits for one lock at one place took how long: the source of percentiles. The thread's OMPT
// callbacks write it, and the writer reads it at any time.
//
// Only waits for locks, criticals, ordered regions and atomics are told apart by their lengths: a lock that makes most
// threads wait a little and some for long has a mean that says nothing. A wait costs one count. Memory is bounded: a
// thread has kMost histograms of 1 KiB, made when a lock is first waited for. What has none says so by its absence.
#ifndef OMPPROF_PROFILER_COLLECT_BLAME_WAIT_LENGTHS_H_
#define OMPPROF_PROFILER_COLLECT_BLAME_WAIT_LENGTHS_H_

#include <stdint.h>
#include <string.h>

#include <atomic>

#include "profiler/collect/base/os.h"

namespace ompprof::collect {

// WaitStats.length_bucket says how long the waits of a bucket are: four buckets for each power of two, from 64 ns on.
struct WaitLengths {
  static constexpr uint32_t kBuckets = 128;

  static uint32_t BucketOf(uint64_t ns) {
    constexpr uint32_t kFirstPower = 6;
    if (ns >> kFirstPower == 0) return 0;
    const uint32_t power = 63 - static_cast<uint32_t>(__builtin_clzll(ns));
    const uint32_t bucket = 1 + (power - kFirstPower) * 4 + static_cast<uint32_t>(ns >> (power - 2) & 3);
    return bucket < kBuckets ? bucket : kBuckets - 1;
  }

  void Add(uint64_t ns, uint64_t waits) {
    std::atomic<uint64_t>& count = counts[BucketOf(ns)];
    count.store(count.load(std::memory_order_relaxed) + waits, std::memory_order_relaxed);
  }

  std::atomic<uint64_t> counts[kBuckets];
};

// A thread's histograms. Zeroed memory is an empty pool.
class WaitLengthsPool {
 public:
  static constexpr uint32_t kMost = 512;

  // An empty histogram; NULL: the thread has kMost, or memory is exhausted. The owner's callbacks call this.
  WaitLengths* Take() {
    if (used_ == kMost) return nullptr;
    WaitLengths*& block = blocks_[used_ / kBlock];
    if (block == nullptr) block = static_cast<WaitLengths*>(MapMemory(sizeof(WaitLengths) * kBlock));
    return block == nullptr ? nullptr : &block[used_++ % kBlock];
  }

  // For another thread, when nothing refers to the histograms any more. Mapped memory stays mapped.
  void Clear() {
    for (uint32_t first = 0; first < used_; first += kBlock)
      memset(static_cast<void*>(blocks_[first / kBlock]), 0,
             sizeof(WaitLengths) * (used_ - first < kBlock ? used_ - first : kBlock));
    used_ = 0;
  }

 private:
  static constexpr uint32_t kBlock = 16;

  uint32_t used_;
  WaitLengths* blocks_[kMost / kBlock];
};

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_BLAME_WAIT_LENGTHS_H_
