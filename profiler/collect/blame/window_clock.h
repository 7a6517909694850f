// A clock that stands still most of the time and keeps real time on average: it runs in short windows, at random
// moments, and so fast that each makes up for the stretch since the window before. Waits that are measured by it cost
// next to nothing outside the windows, and their sums are estimates without bias: a stretch of real time is measured by
// a part of it chosen without regard to what the program does (Horvitz and Thompson 1952). However long a wait is, and
// whether it began before a window or in it, it counts with the time of its own that lies in windows.
//
// One for the process. Windows are planned by samples (governor.h) and are over when an event finds them so.
#ifndef OMPPROF_PROFILER_COLLECT_BLAME_WINDOW_CLOCK_H_
#define OMPPROF_PROFILER_COLLECT_BLAME_WINDOW_CLOCK_H_

#include <stdint.h>

#include <atomic>

#include "profiler/collect/base/tick_clock.h"

namespace ompprof::collect {

// What windows find is made up for what they miss, as events take longer in them: by how many events there were, to how
// many the windows say (a ratio estimate: Cochran, "Sampling Techniques", chapter 6). `found`: in windows, as such.
inline double RatioScale(uint64_t events, uint64_t found, double stands_for) {
  constexpr uint64_t kEnough = 30;
  constexpr double kMost = 4;
  if (found < kEnough || stands_for <= 0) return 1;
  const double scale = static_cast<double>(events) / stands_for;
  // Further than that it says that windows came late, of a process that was kept from running.
  return scale < 1 / kMost ? 1 / kMost : scale > kMost ? kMost : scale;
}

class WindowClock {
 public:
  // It stands still, or does so until the window that is planned: the time then. Async-signal-safe, one cache line that
  // is seldom written.
  bool IsStill() const { return __builtin_expect((stamp() & 1) == 0, true); }

  // Changes whenever the clock is to run or stands still again; even: it stands still.
  uint32_t stamp() const { return stamp_.load(std::memory_order_acquire); }

  struct Moment {
    uint64_t ns;      // never later than CLOCK_MONOTONIC, and as late as that at the end of a window
    uint32_t number;  // odd: in a window; even: after the one before. Goes up with each
  };
  // Async-signal-safe, like the next.
  Moment Read() {
    if (!IsStill()) return ReadRunning();
    return {base_.load(std::memory_order_relaxed), windows_.load(std::memory_order_relaxed) * 2};
  }
  uint64_t Now() { return IsStill() ? base_.load(std::memory_order_relaxed) : ReadRunning().ns; }

  // How much faster than real time the clock runs in the window that is open or was planned last: each event that a
  // window finds stands for as many.
  double Speed() const { return speed_.load(std::memory_order_relaxed); }

  // That have ended.
  uint32_t windows() const { return windows_.load(std::memory_order_relaxed); }

  // Plans a window of `length_ns` that begins at `begin_ns` (CLOCK_MONOTONIC, in the near future). Not if there is one
  // already. Async-signal-safe.
  void Plan(uint64_t begin_ns, uint64_t length_ns);

  // When the last window ended, 0: the clock has never run.
  uint64_t last_end_ns() const { return base_.load(std::memory_order_relaxed); }

  // The first time that it is needed: it shows the time.
  void Start(uint64_t now_ns);
  // A forked child begins anew.
  void Forget();

 private:
  Moment ReadRunning();
  uint64_t At(uint64_t now_ns, uint64_t base) const;

  alignas(64) std::atomic<uint32_t> stamp_{0};
  std::atomic<bool> changing_{false};
  std::atomic<uint32_t> windows_{0};
  std::atomic<uint64_t> base_{0};  // what it shows while it stands still
  std::atomic<uint64_t> begin_ns_{0};
  std::atomic<uint64_t> end_ns_{0};
  std::atomic<double> speed_{1};
};

extern WindowClock window_clock;

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_BLAME_WINDOW_CLOCK_H_
