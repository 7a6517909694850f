// The distance of a thread's samples. If the handler repeatedly takes more than a quarter of the time between samples,
// the next samples come later, so that the program keeps its time. This can happen where frames are many and new, or
// where a tool such as valgrind interprets the handler. Only the thread's handler writes.
#ifndef OMPPROF_PROFILER_COLLECT_SAMPLING_PACE_H_
#define OMPPROF_PROFILER_COLLECT_SAMPLING_PACE_H_

#include <stdint.h>

namespace ompprof::collect {

class Pace {
 public:
  // The thread's period is the session's period, times two to the power of this. Async-signal-safe.
  uint32_t shift() const { return shift_; }

  // A handler has run from `begin` to `end`, in nanoseconds of wall time. `period` is the session's period in
  // nanoseconds; 0 if the period is in events. True: the shift has changed. A single slow handler proves nothing,
  // because the thread may have lost the processor in it. Async-signal-safe.
  bool Took(uint64_t begin, uint64_t end, uint64_t period) {
    const uint64_t gap = begin - last_end_;
    const uint64_t cost = end - begin;
    const bool first = last_end_ == 0;
    last_end_ = end;
    if (first || begin > end) return false;
    if (__builtin_expect((cost + kDeliveryNs) * kShare <= gap, 1)) {
      strikes_ = strikes_ > 2 ? strikes_ - 2 : 0;
      if (__builtin_expect(shift_ == 0, 1)) return false;
      // The rate may rise again only if the handler is far quicker than necessary.
      calm_ = cost * kShare * 8 < period << (shift_ - 1) ? calm_ + 1 : 0;
      if (calm_ < kCalm) return false;
      calm_ = 0;
      --shift_;
      return true;
    }
    calm_ = 0;
    strikes_ += cost > kGrossNs ? kGrossStrike : 1;
    if (strikes_ < kStrikes) return false;
    strikes_ = 0;
    // Goes at once to a bearable rate, as far as this is known.
    const uint64_t wanted = cost * kShare * 2;
    const uint32_t before = shift_;
    if (shift_ < kMostShift) ++shift_;
    if (period != 0) {
      for (uint32_t i = 0; i < kMostShift && shift_ < kMostShift && period << shift_ < wanted; ++i) ++shift_;
    }
    return shift_ != before;
  }

  void Reset() { *this = Pace(); }

 private:
  static constexpr uint64_t kDeliveryNs = 2000;  // the least cost of a signal (scripts/bench handler)
  static constexpr uint64_t kShare = 3;          // a quarter for the handler, three quarters for the program
  static constexpr uint32_t kStrikes = 16;
  // A handler that is single-stepped takes a tenth of a second. Few of them must be enough.
  static constexpr uint64_t kGrossNs = 20000000;
  static constexpr uint32_t kGrossStrike = 4;
  static constexpr uint32_t kCalm = 256;
  static constexpr uint32_t kMostShift = 14;  // 1.6 s at 10 kHz
  uint64_t last_end_ = 0;
  uint32_t shift_ = 0;
  uint32_t strikes_ = 0;
  uint32_t calm_ = 0;
};

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_SAMPLING_PACE_H_
