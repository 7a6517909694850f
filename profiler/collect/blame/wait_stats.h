// Exact totals of one thread's waits, by kind and place. The thread's OMPT callbacks write them, and the writer reads
// them at any time.
#ifndef OMPPROF_PROFILER_COLLECT_BLAME_WAIT_STATS_H_
#define OMPPROF_PROFILER_COLLECT_BLAME_WAIT_STATS_H_

#include <stdint.h>

#include <atomic>

#include "profiler/collect/blame/counts_table.h"
#include "profiler/collect/blame/wait_lengths.h"
#include "profiler/collect/blame/window_clock.h"
#include "proto/ompt_state.h"

namespace ompprof::collect {

// The key of a total.
struct WaitKey {
  OmptState state;       // of the wait; kIdle between regions
  uint32_t epoch;        // of the modules, for the addresses
  uint64_t codeptr_ra;   // of the construct that waits; for a lock's charge: of the release
  uint64_t region;       // codeptr_ra of the innermost region, 0: none
  uint64_t wait_id;      // of a lock, critical, ordered or atomic
  uint64_t acquired_at;  // for a charge: codeptr_ra of the charged holder's acquisition. 0: a wait
  uint32_t lock = 0;     // LockOrigins' number of the lock at wait_id, 0: not known

  bool operator==(const WaitKey& other) const {
    return codeptr_ra == other.codeptr_ra && region == other.region && wait_id == other.wait_id &&
           state == other.state && acquired_at == other.acquired_at && epoch == other.epoch && lock == other.lock;
  }
  uint64_t Hash() const {
    return (codeptr_ra ^ acquired_at * 3) ^ region * 0xbf58476d1ce4e5b9ull ^ wait_id * 0x94d049bb133111ebull ^
           static_cast<uint64_t>(state) << 40 ^ static_cast<uint64_t>(lock) << 20;
  }
};

struct WaitCounts {
  WaitKey key;
  // Only the thread writes these: relaxed loads and stores.
  std::atomic<uint64_t> count;     // timed waits
  std::atomic<uint64_t> total_ns;  // wall time waited; for a charge: other threads' waiting for this holder
  std::atomic<uint64_t> max_ns;
  std::atomic<WaitLengths*> lengths;  // of the waits for a lock; NULL: none was kept
  std::atomic<uint64_t> path_ns;      // the part of total_ns that is in the profile with its call path
  std::atomic<uint64_t> last_count;   // of a barrier: how often this thread was the last to arrive
  std::atomic<uint64_t> last_by_ns;   // sum of the times since the previous arrival
  std::atomic<uint64_t> held_count;   // of a charge: acquisitions that were timed
  std::atomic<uint64_t> held_ns;      // the time that the lock was held
  // The estimated part of total_ns, and the sum of squares of each window's finding.
  std::atomic<uint64_t> estimated_ns;
  std::atomic<uint64_t> squares_us2;
  // The number of estimated waits, the number of them that ended in windows, and the number that the waits in windows
  // stand for. Events take longer in a window, so a window finds fewer waits. Estimates are corrected for that.
  std::atomic<uint64_t> estimated_count;
  std::atomic<uint64_t> windows_count;
  std::atomic<uint64_t> stands_for;  // in units of 1 / kWindowWeightOfOne
  uint64_t window_us;                // owner's: the sum of the last window
  uint32_t window;                   // owner's: its number
  uint64_t pending_ns;               // owner's: charges that wait for a call path to be worth its price
  uint64_t written;                  // for the writer: count + last_count at the last write
};

// Adds an estimate of `ns` by the window clock, at the clock's Moment of that number. `windows`: the windows that ended
// during the wait. All waits in a window are one observation: the variance is the variance of the windows' sums.
inline void AddEstimate(WaitCounts* counts, uint64_t ns, uint32_t number, uint32_t windows = 0) {
  const auto add = [](std::atomic<uint64_t>* sum, uint64_t more) {
    sum->store(sum->load(std::memory_order_relaxed) + more, std::memory_order_relaxed);
  };
  add(&counts->estimated_ns, ns);
  if (windows > 1) {
    add(&counts->squares_us2, ns / 1000 * (ns / 1000) / windows);
    return;
  }
  const uint32_t window = (number - 1) / 2;
  if (counts->window != window) {
    add(&counts->squares_us2, counts->window_us * counts->window_us);
    counts->window = window;
    counts->window_us = 0;
  }
  counts->window_us += ns / 1000;
}

// Counts a wait that ended in a window of this weight.
inline void CountInWindow(WaitCounts* counts, uint64_t weight) {
  counts->windows_count.store(counts->windows_count.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  counts->stands_for.store(counts->stands_for.load(std::memory_order_relaxed) + weight, std::memory_order_relaxed);
}

// The factor for estimated_ns.
inline double EstimateScale(const WaitCounts& counts) {
  return RatioScale(counts.estimated_count.load(std::memory_order_relaxed),
                    counts.windows_count.load(std::memory_order_relaxed),
                    counts.stands_for.load(std::memory_order_relaxed));
}

// The variance of estimated_ns, in square microseconds, after that many windows.
inline double EstimateVariance(const WaitCounts& counts, uint32_t windows) {
  const auto us = static_cast<double>(counts.estimated_ns.load(std::memory_order_relaxed)) / 1000;
  const auto last = static_cast<double>(counts.window_us);
  const double squares = static_cast<double>(counts.squares_us2.load(std::memory_order_relaxed)) + last * last;
  const double count = windows > 1 ? windows : 1;
  const double spread = squares - us * us / count;
  return count > 1 && spread > squares / count ? spread : squares / count;
}

using WaitStats = CountsTable<WaitCounts, WaitKey>;

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_BLAME_WAIT_STATS_H_
