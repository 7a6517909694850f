// How rare the instants of sleeping threads are. A signal that finds a thread asleep wakes it: it costs two switches of
// threads, some 10 us, and ten times as much in some virtual machines. A program may have a thousand threads that sleep
// most of the time, each for a moment only. So the process has a bound: all such signals together take a hundredth of
// its processors' time, or more where the user asks for samples of sleepers. The handlers of all threads write.
#ifndef OMPPROF_PROFILER_COLLECT_SAMPLING_ASLEEP_SIGNALS_H_
#define OMPPROF_PROFILER_COLLECT_SAMPLING_ASLEEP_SIGNALS_H_

#include <stdint.h>

#include <algorithm>
#include <atomic>

namespace ompprof::collect {

class AsleepSignals {
 public:
  static constexpr uint32_t kShare = 100;

  // The mean time between the instants of a thread that was found asleep is its period, times two to the power of this.
  // Async-signal-safe.
  uint32_t level() const { return level_.load(std::memory_order_relaxed); }

  // How many processors the process may use, and which part of them all such signals may take: one in `share`. Before
  // the first signal.
  void SetProcessors(uint32_t count, uint32_t share = kShare) {
    processors_ = std::max(count, 1u);
    share_ = share;
  }

  // In a forked child, which has one thread.
  void Reset() {
    cost_ns_.store(kFirstCostNs, std::memory_order_relaxed);
    count_.store(0, std::memory_order_relaxed);
    begin_ns_.store(0, std::memory_order_relaxed);
    begin_count_.store(0, std::memory_order_relaxed);
    raised_ns_.store(0, std::memory_order_relaxed);
    level_.store(0, std::memory_order_relaxed);
  }

  // Between two signals that found a thread in one and the same sleep, it used this much CPU time. Async-signal-safe.
  void Cost(uint64_t cpu_ns) {
    const uint64_t before = cost_ns_.load(std::memory_order_relaxed);
    cost_ns_.store((before * 15 + std::clamp(cpu_ns, kLeastCostNs, kMostCostNs)) / 16, std::memory_order_relaxed);
  }

  // A signal has found a thread asleep. `now`: of the monotonic clock; `period`: the mean time between the instants of
  // a working thread; both in nanoseconds. Async-signal-safe.
  void Count(uint64_t now, uint64_t period) {
    const uint64_t count = count_.fetch_add(1, std::memory_order_relaxed) + 1;
    if (count % kEach != 0) return;
    const uint64_t begin = begin_ns_.load(std::memory_order_relaxed);
    const uint64_t took = now - std::min(begin, now);
    if (took < period) return;
    const uint64_t signals = count - begin_count_.load(std::memory_order_relaxed);
    begin_ns_.store(now, std::memory_order_relaxed);
    begin_count_.store(count, std::memory_order_relaxed);
    const uint32_t level = level_.load(std::memory_order_relaxed);
    // A level has its effect first: instants that were drawn before come as they were drawn.
    const bool settled = now - std::min(raised_ns_.load(std::memory_order_relaxed), now) >= period << level;
    const uint64_t most = took * processors_ / share_ / cost_ns_.load(std::memory_order_relaxed) + 1;
    if (signals > most && settled) {
      raised_ns_.store(now, std::memory_order_relaxed);
      level_.store(std::min(level + Doublings(signals / most), kMost), std::memory_order_relaxed);
    } else if (signals * 4 < most && level > 0) {
      level_.store(level - 1, std::memory_order_relaxed);
    }
  }

 private:
  static constexpr uint64_t kEach = 16;  // signals after which the level may change
  static constexpr uint32_t kMost = 16;  // 330 s at the default rate
  static constexpr uint64_t kFirstCostNs = 25000;
  static constexpr uint64_t kLeastCostNs = 1000;
  static constexpr uint64_t kMostCostNs = 1000000;

  // How many times two fits into `ratio`, rounded up.
  static uint32_t Doublings(uint64_t ratio) { return 64 - static_cast<uint32_t>(__builtin_clzll(ratio)); }

  uint32_t processors_ = 1;
  uint32_t share_ = kShare;
  std::atomic<uint64_t> cost_ns_{kFirstCostNs};
  std::atomic<uint64_t> count_{};
  std::atomic<uint64_t> begin_ns_{};  // of the signals that are being counted, and how many came before
  std::atomic<uint64_t> begin_count_{};
  std::atomic<uint64_t> raised_ns_{};
  std::atomic<uint32_t> level_{};
};

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_SAMPLING_ASLEEP_SIGNALS_H_
