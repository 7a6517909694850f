// The limits that keep a thread's samples short: the fuel of the present sample, and the time that runtimes take to
// answer. It also counts the samples that are cut. Only the thread itself uses it, except for the counters, which the
// writer reads.
#ifndef OMPPROF_PROFILER_COLLECT_SAMPLING_SAMPLE_LIMITS_H_
#define OMPPROF_PROFILER_COLLECT_SAMPLING_SAMPLE_LIMITS_H_

#include <omp-tools.h>
#include <stdint.h>

#include <atomic>

#include "profiler/collect/base/fuel.h"
#include "profiler/collect/tasks/region.h"

namespace ompprof::collect {

// Decides whether a runtime answers quickly enough for a question at each sample. The collector cannot bound a
// runtime's own time. But a handler that takes longer than the sampling period is interrupted again as it returns, and
// the program gets nothing done. So one sample in 16 measures the time. After three slow answers in a row, the next
// samples ask nothing. Their number is such that questions take a tenth of the time, and lasts for a second at most.
// The first measurement uses the clock that costs nothing. That clock also runs while the thread has no processor, so
// the next measurements use the thread's own clock.
class AnswerTime {
 public:
  // Whether the next sample may ask. Async-signal-safe.
  bool MayAsk() {
    if (__builtin_expect(unasked_ == 0, 1)) return true;
    --unasked_;
    return false;
  }
  // Whether the next sample must measure the time, and whether by the thread's CPU clock.
  bool IsTimed() { return slow_ != 0 || (++asked_ & 15) == 0; }
  bool IsSuspect() const { return slow_ != 0; }
  // An answer took `ns`, with samples `period_ns` apart.
  void Took(uint64_t ns, uint64_t period_ns) {
    if (ns < kSlowNs || ns * 10 < period_ns * 2) {
      slow_ = 0;
    } else if (++slow_ >= 3) {
      slow_ = 2;  // one more slow answer suffices
      constexpr uint64_t kMostNs = 1000000000;
      const uint64_t unasked_ns = ns < kMostNs / 10 ? ns * 10 : kMostNs;
      unasked_ = static_cast<uint32_t>(unasked_ns / (period_ns != 0 ? period_ns : 1));
    }
  }
  void Reset() { asked_ = slow_ = unasked_ = 0; }

 private:
  static constexpr uint64_t kSlowNs = 20000;
  uint32_t asked_ = 0;
  uint32_t slow_ = 0;
  uint32_t unasked_ = 0;
};

struct SampleLimits {
  Fuel fuel;
  AnswerTime answers;
  // The innermost implicit task that a runtime has shown. Used when the runtime's chain of tasks does not lead there.
  // The task's frame stays where it is as long as the region lives.
  RegionRef region = 0;
  const ompt_frame_t* frame = nullptr;

  // The number of samples in a row before this sample without a whole call path. Each sample knows the look-ups of the
  // samples before, so the number stays small.
  uint32_t cut_paths = 0;
  static constexpr uint32_t kMostCutPaths = 16;

  // Cut samples, by reason. One producer.
  std::atomic<uint64_t> cut[kCuts] = {};

  // The present sample stands for `count` signals. Async-signal-safe.
  void CountCuts(uint32_t count) {
    for (uint32_t i = 0; i < kCuts; ++i) {
      if (fuel.Has(static_cast<Cut>(i)))
        cut[i].store(cut[i].load(std::memory_order_relaxed) + count, std::memory_order_relaxed);
    }
  }

  // Whether the present sample's call path is whole, or as whole as possible. Ask once for each sample.
  bool MayKeepPath() {
    cut_paths = fuel.IsPathCut() ? cut_paths + 1 : 0;
    return cut_paths % kMostCutPaths == 0;
  }

  // Prepares the limits for another thread.
  void Reset() {
    fuel.Fill();
    answers.Reset();
    region = 0;
    frame = nullptr;
    cut_paths = 0;
    for (auto& counter : cut) counter.store(0, std::memory_order_relaxed);
  }
};

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_SAMPLING_SAMPLE_LIMITS_H_
