// The window clock. It stands still most of the time, and keeps real time on average. It runs in short windows at
// random moments, so fast that each window makes up for the stretch since the window before. Waits measured by this
// clock cost next to nothing outside the windows. Their sums are estimates without bias: a stretch of real time is
// measured by a part of the stretch, chosen without regard to the program's activity (Horvitz and Thompson 1952). A
// wait counts with its time in windows, however long the wait is, and whether it began before a window or in it.
//
// The process has one window clock. Samples plan its windows (governor.h). A window ends when an event finds it over.
#ifndef OMPPROF_PROFILER_COLLECT_BLAME_WINDOW_CLOCK_H_
#define OMPPROF_PROFILER_COLLECT_BLAME_WINDOW_CLOCK_H_

#include <stdint.h>

#include <atomic>

#include "profiler/collect/base/tick_clock.h"

namespace ompprof::collect {

// WindowClock::Weight of an event that stands for itself only.
inline constexpr double kWindowWeightOfOne = 65536;

// The correction for waits that windows miss. Events take longer in windows, so windows find fewer waits. The factor is
// the true number of events over the number that the windows suggest (a ratio estimate: Cochran, "Sampling Techniques",
// chapter 6). `found`: events in windows, uncorrected. `stands_for`: the sum of WindowClock::Weight for each of them.
inline double RatioScale(uint64_t events, uint64_t found, uint64_t stands_for) {
  constexpr uint64_t kEnough = 30;
  constexpr double kMost = 4;
  if (found < kEnough || stands_for == 0) return 1;
  const double scale = static_cast<double>(events) * kWindowWeightOfOne / static_cast<double>(stands_for);
  // A larger factor would only say that windows came late, in a process that was kept from running.
  return scale < 1 / kMost ? 1 / kMost : scale > kMost ? kMost : scale;
}

class WindowClock {
 public:
  // The clock stands still, and no window is planned or open. Async-signal-safe; reads a cache line that is seldom
  // written.
  bool IsStill() const { return __builtin_expect((stamp() & 1) == 0, true); }

  // Changes whenever a window is planned or over. Even: the clock stands still.
  uint32_t stamp() const { return stamp_.load(std::memory_order_acquire); }

  struct Moment {
    uint64_t ns;       // never later than CLOCK_MONOTONIC, and equal to it at the end of a window
    uint32_t number;   // odd: in a window; even: after a window. Goes up with each window
    uint64_t real_ns;  // CLOCK_MONOTONIC; 0: the clock stands still, so nobody looked
    bool InWindow() const { return (number & 1) != 0; }
  };
  // The clock's time and window. Async-signal-safe, as is Now.
  Moment Read() {
    if (!IsStill()) return ReadRunning();
    return {base_.load(std::memory_order_relaxed), windows_.load(std::memory_order_relaxed) * 2, 0};
  }
  uint64_t Now() { return IsStill() ? base_.load(std::memory_order_relaxed) : ReadRunning().ns; }

  // The ratio of the clock's speed to real time, in the open window or the window planned last. Each event that a
  // window finds stands for this many events.
  double Speed() const { return static_cast<double>(Weight()) / kWindowWeightOfOne; }
  // Likewise, in units of 1 / kWindowWeightOfOne: events need no floating-point operation.
  uint64_t Weight() const { return weight_.load(std::memory_order_relaxed); }

  // Windows that have ended.
  uint32_t windows() const { return windows_.load(std::memory_order_relaxed); }

  // Plans a window of `length_ns` that begins at `begin_ns` (CLOCK_MONOTONIC, in the near future). Does nothing if a
  // window is planned or open. Async-signal-safe.
  void Plan(uint64_t begin_ns, uint64_t length_ns);

  // The end of the last window. 0: the clock has never run.
  uint64_t last_end_ns() const { return base_.load(std::memory_order_relaxed); }

  // Sets the clock to `now_ns` when it is first needed.
  void Start(uint64_t now_ns);
  // For a forked child, which begins again.
  void Forget();

 private:
  Moment ReadRunning();
  uint64_t At(uint64_t now_ns, uint64_t base) const;

  alignas(64) std::atomic<uint32_t> stamp_{0};
  std::atomic<bool> changing_{false};
  std::atomic<uint32_t> windows_{0};
  std::atomic<uint64_t> base_{0};  // the time while the clock stands still
  std::atomic<uint64_t> begin_ns_{0};
  std::atomic<uint64_t> end_ns_{0};
  std::atomic<uint64_t> weight_{static_cast<uint64_t>(kWindowWeightOfOne)};
};

extern WindowClock window_clock;

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_BLAME_WINDOW_CLOCK_H_
