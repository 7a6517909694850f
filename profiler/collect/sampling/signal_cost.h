// What the sampling signals cost: the part of the profiler's own time that no sample can see, because the thread is in
// the kernel, or has the signal blocked.
#ifndef OMPPROF_PROFILER_COLLECT_SAMPLING_SIGNAL_COST_H_
#define OMPPROF_PROFILER_COLLECT_SAMPLING_SIGNAL_COST_H_

#include <signal.h>
#include <stdint.h>

#include <atomic>

namespace ompprof::collect {

class SignalCost {
 public:
  // A signal came; its handler took this long. Async-signal-safe.
  void Add(uint64_t handler_ns) {
    signals_.fetch_add(1, std::memory_order_relaxed);
    handlers_ns_.fetch_add(handler_ns, std::memory_order_relaxed);
  }

  // Whether the signal is one of MeasureIfMany's. Async-signal-safe.
  bool TakeProbe(const siginfo_t* info);

  // Measures once, when signals have become many, what a timer's signal takes from a running thread besides its
  // handler. Runs 2 ms. Tries again where the thread lost its processor too often. For the writer's thread, which has
  // all signals blocked.
  void MeasureIfMany();

  // CPU time of all signals and handlers. Without a measurement, of the handlers alone.
  uint64_t TotalNs() const {
    return handlers_ns_.load(std::memory_order_relaxed) +
           signals_.load(std::memory_order_relaxed) * delivery_ns_.load(std::memory_order_relaxed);
  }

  // In a forked child.
  void Reset() {
    signals_.store(0, std::memory_order_relaxed);
    handlers_ns_.store(0, std::memory_order_relaxed);
  }

 private:
  std::atomic<uint64_t> signals_{};
  std::atomic<uint64_t> handlers_ns_{};
  std::atomic<uint64_t> delivery_ns_{};  // of one signal; 0: not measured
  int tries_ = 0;
  volatile sig_atomic_t probes_ = 0;
};

extern SignalCost signal_cost;

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_SAMPLING_SIGNAL_COST_H_
