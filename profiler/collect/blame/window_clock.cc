#include "profiler/collect/blame/window_clock.h"

namespace ompprof::collect {

WindowClock window_clock;

namespace {
constexpr auto kRelaxed = std::memory_order_relaxed;
constexpr auto kWeightOfOne = static_cast<uint64_t>(kWindowWeightOfOne);
}  // namespace

uint64_t WindowClock::At(uint64_t now_ns, uint64_t base) const {
  const uint64_t begin = begin_ns_.load(kRelaxed);
  const uint64_t end = end_ns_.load(kRelaxed);
  if (now_ns <= begin || end <= base) return base;
  if (now_ns >= end) return end;
  // The clock goes from `base` at the window's begin to real time at the window's end.
  return base +
         static_cast<uint64_t>(static_cast<unsigned __int128>(now_ns - begin) * weight_.load(kRelaxed) / kWeightOfOne);
}

WindowClock::Moment WindowClock::ReadRunning() {
  const uint32_t number = windows_.load(kRelaxed) * 2;
  const uint64_t base = base_.load(std::memory_order_acquire);
  const uint64_t now = QuickNs();
  const Moment moment{At(now, base), number + (now > begin_ns_.load(kRelaxed) ? 1 : 0), now};
  if (now < end_ns_.load(kRelaxed)) return moment;
  // The window is over. The first thread to find this says so. Meanwhile, other threads read the end's time.
  if (!changing_.exchange(true, std::memory_order_acquire)) {
    if (!IsStill() && now >= end_ns_.load(kRelaxed)) {
      base_.store(end_ns_.load(kRelaxed), kRelaxed);
      windows_.store(windows_.load(kRelaxed) + 1, kRelaxed);
      stamp_.store(stamp_.load(kRelaxed) + 1, std::memory_order_release);
    }
    changing_.store(false, std::memory_order_release);
  }
  return moment;
}

void WindowClock::Plan(uint64_t begin_ns, uint64_t length_ns) {
  if (changing_.exchange(true, std::memory_order_acquire)) return;
  if (IsStill() && begin_ns > base_.load(kRelaxed)) {
    begin_ns_.store(begin_ns, kRelaxed);
    end_ns_.store(begin_ns + length_ns, kRelaxed);
    weight_.store(static_cast<uint64_t>(static_cast<unsigned __int128>(begin_ns + length_ns - base_.load(kRelaxed)) *
                                        kWeightOfOne / length_ns),
                  kRelaxed);
    stamp_.store(stamp_.load(kRelaxed) + 1, std::memory_order_release);
  }
  changing_.store(false, std::memory_order_release);
}

void WindowClock::Start(uint64_t now_ns) {
  uint64_t never = 0;
  base_.compare_exchange_strong(never, now_ns, std::memory_order_release, kRelaxed);
}

void WindowClock::Forget() {
  stamp_.store(0, kRelaxed);
  changing_.store(false, kRelaxed);
  windows_.store(0, kRelaxed);
  base_.store(0, kRelaxed);
}

}  // namespace ompprof::collect
