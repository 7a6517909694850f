// When the writer flushes. The processes of a job flush at different moments, or else ten thousand ranks would write to
// one file system at once.
#ifndef OMPPROF_PROFILER_COLLECT_WRITE_FLUSH_SCHEDULE_H_
#define OMPPROF_PROFILER_COLLECT_WRITE_FLUSH_SCHEDULE_H_

#include <stdint.h>

namespace ompprof::collect {

// Each process has a place within the interval, by its rank or else its process id. The flushes come at this place of
// each interval of the wall clock, so ranks keep apart however far apart they started. Only the periodic flushes are
// apart: the flush at a program's end cannot wait.
class FlushSchedule {
 public:
  // The place, in nanoseconds from 0 to `interval`. Consecutive numbers lie a golden section apart, so any number of
  // them is spread evenly (Knuth, The Art of Computer Programming 3, 6.4, theorem S).
  static uint64_t PlaceOf(uint32_t number, uint64_t interval) {
    constexpr uint32_t kGolden = 2654435769;  // 2^32 / 1.618...
    return static_cast<uint64_t>((static_cast<unsigned __int128>(number * kGolden) * interval) >> 32);
  }

  // Begins at the present time, on the wall clock and on the monotonic clock.
  void Begin(uint32_t number, uint64_t interval, uint64_t unix_ns, uint64_t mono_ns) {
    interval_ = interval;
    const uint64_t here = unix_ns % interval;
    const uint64_t place = PlaceOf(number, interval);
    next_ = mono_ns + (place > here ? place - here : place + interval - here);
  }

  // The time to the next flush, more than 0. Flushes that were missed are left out.
  uint64_t UntilNext(uint64_t mono_ns) {
    if (next_ <= mono_ns) next_ += ((mono_ns - next_) / interval_ + 1) * interval_;
    return next_ - mono_ns;
  }

 private:
  uint64_t interval_ = 0;
  uint64_t next_ = 0;
};

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_WRITE_FLUSH_SCHEDULE_H_
