// CLOCK_MONOTONIC for frequent callers. Where the kernel keeps time by a counter that a program may read, this clock
// reads the counter itself. A line turns the counter into time, and the writer thread fits the line to the kernel's
// clock about once a second. A reading costs 11 ns instead of the 22 ns of clock_gettime in the vDSO.
//
// The error: the line follows the kernel's clock of the previous second. While the kernel's clock runs evenly, the
// error is a few nanoseconds. At most, it is the 500 millionths of a second by which an NTP daemon may change the
// clock's speed (adjtimex(2)). If the kernel's clock is further away, or if nobody fits the line any more,
// clock_gettime takes over.
#ifndef OMPPROF_PROFILER_COLLECT_BASE_TICK_CLOCK_H_
#define OMPPROF_PROFILER_COLLECT_BASE_TICK_CLOCK_H_

#include <stdint.h>

#include <atomic>

#include "profiler/collect/arch/ticks.h"
#include "profiler/collect/base/os.h"

namespace ompprof::collect {

class TickClock {
 public:
  // The two clocks at one moment.
  struct Pair {
    uint64_t ticks;
    uint64_t ns;
  };

  // The time until the next fit: soon at first, because the counter's rate must be found, and once a second later.
  static constexpr uint64_t kFirstIntervalNs = 10000000;
  static constexpr uint64_t kLongestIntervalNs = 1000000000;

  // The time at `ticks`; 0: the caller must ask the kernel. Async-signal-safe, lock-free.
  uint64_t At(uint64_t ticks) const {
    const uint32_t version = version_.load(std::memory_order_acquire);
    if ((version & 1) == 0) return 0;
    const uint64_t since = ticks - from_ticks_.load(std::memory_order_acquire);
    const uint64_t limit = limit_ticks_.load(std::memory_order_acquire);
    const uint64_t rate = ns_per_tick_.load(std::memory_order_acquire);
    const uint64_t ns = from_ns_.load(std::memory_order_acquire);
    if (version_.load(std::memory_order_relaxed) != version || since > limit) return 0;
    return ns + static_cast<uint64_t>(static_cast<unsigned __int128>(since) * rate >> 32);
  }

  // Fits the line to the clocks' present readings. Only one thread at a time: the writer. Returns the time until the
  // next call; 0: never again, because the clock is not available.
  uint64_t Fit(Pair now);

  // Gives the clock up for good: At returns 0 from here on. Called by the writer.
  void GiveUp();

 private:
  void Publish(uint64_t ticks, uint64_t ns, uint64_t rate);

  // Odd: the line is complete.
  alignas(64) std::atomic<uint32_t> version_{0};
  std::atomic<uint64_t> from_ticks_{0};
  std::atomic<uint64_t> from_ns_{0};
  std::atomic<uint64_t> ns_per_tick_{0};  // in 2^-32
  std::atomic<uint64_t> limit_ticks_{0};  // the end of the line

  // For Fit only.
  Pair last_{0, 0};
  uint64_t interval_ns_ = 0;
  bool given_up_ = false;
};

extern TickClock tick_clock;

// CLOCK_MONOTONIC. Async-signal-safe. Between two threads, or before and after a fit, the results may differ by the
// line's error.
inline uint64_t QuickNs() {
  const uint64_t ns = tick_clock.At(ReadTicks());
  return __builtin_expect(ns != 0, true) ? ns : MonotonicNs();
}

// QuickNs for one thread, whose time does not go back. `last` belongs to the thread.
inline uint64_t QuickNs(volatile uint64_t* last) {
  const uint64_t ns = QuickNs();
  const uint64_t before = *last;
  if (ns <= before) return before;
  *last = ns;
  return ns;
}

// Fits tick_clock to the kernel's clock, if the kernel keeps time by the counter. Result as Fit's. Writer thread only.
uint64_t FitTickClock();

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_BASE_TICK_CLOCK_H_
