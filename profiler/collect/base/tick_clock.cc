#include "profiler/collect/base/tick_clock.h"

#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>

namespace ompprof::collect {

TickClock tick_clock;

namespace {

// If nobody fits the line any more, the line ends after this many of its intervals.
constexpr uint64_t kIntervalsKept = 8;
// An NTP daemon makes the kernel's clock faster or slower by this at most: adjtimex(2).
constexpr uint64_t kMostPpm = 500;
// The uncertainty of two clocks read one after the other, if the thread lost its processor between the reads each time.
constexpr uint64_t kSlackNs = 100000;

// Whether the kernel keeps time by the processor's counter at present.
bool KernelKeepsTimeByTicks() {
  if (kTickSource[0] == '\0') return false;
  const long fd =
      RawSyscall(SYS_openat, AT_FDCWD,
                 reinterpret_cast<long>("/sys/devices/system/clocksource/clocksource0/current_clocksource"), O_RDONLY);
  if (fd < 0) return false;
  char name[32] = {};
  const long size = RawSyscall(SYS_read, fd, reinterpret_cast<long>(name), sizeof(name) - 1);
  RawSyscall(SYS_close, fd);
  const size_t wanted = strlen(kTickSource);
  return size == static_cast<long>(wanted) + 1 && memcmp(name, kTickSource, wanted) == 0 && name[wanted] == '\n';
}

TickClock::Pair ReadPair() {
  TickClock::Pair best{0, 0};
  uint64_t shortest = UINT64_MAX;
  for (int i = 0; i < 16; ++i) {
    const uint64_t before = ReadTicks();
    const uint64_t ns = MonotonicNs();
    const uint64_t took = ReadTicks() - before;
    if (took >= shortest) continue;
    shortest = took;
    best = {before + took / 2, ns};
  }
  return best;
}

}  // namespace

void TickClock::GiveUp() {
  given_up_ = true;
  version_.store(version_.load(std::memory_order_relaxed) & ~1u, std::memory_order_release);
}

void TickClock::Publish(uint64_t ticks, uint64_t ns, uint64_t rate) {
  const uint32_t version = version_.load(std::memory_order_relaxed);
  version_.store((version | 1) + 1, std::memory_order_relaxed);  // ordered before each of the following stores
  from_ticks_.store(ticks, std::memory_order_release);
  from_ns_.store(ns, std::memory_order_release);
  ns_per_tick_.store(rate, std::memory_order_release);
  const auto limit = static_cast<unsigned __int128>(interval_ns_ * kIntervalsKept) << 32;
  limit_ticks_.store(static_cast<uint64_t>(limit / rate), std::memory_order_release);
  version_.store((version | 1) + 2, std::memory_order_release);
}

uint64_t TickClock::Fit(Pair now) {
  if (given_up_) return 0;
  if (interval_ns_ == 0) {
    last_ = now;
    return interval_ns_ = kFirstIntervalNs;
  }
  const uint64_t ticks = now.ticks - last_.ticks;
  const uint64_t ns = now.ns - last_.ns;
  // Too soon after the last fit: the rate would be too inexact.
  if (ns < interval_ns_ / 2) return interval_ns_ - ns;
  const auto rate = static_cast<uint64_t>((static_cast<unsigned __int128>(ns) << 32) / (ticks != 0 ? ticks : 1));
  if (now.ticks <= last_.ticks || now.ns <= last_.ns || rate == 0) {
    GiveUp();
    return 0;
  }
  const uint64_t said = At(now.ticks);
  // The earliest time of the next fit.
  const uint64_t next = interval_ns_ * 4 < kLongestIntervalNs ? interval_ns_ * 4 : kLongestIntervalNs;
  interval_ns_ = next;
  if (said == 0) {
    // This is the first line, or the previous line has ended.
    Publish(now.ticks, now.ns, rate);
  } else {
    // The new line continues the old line. It meets the kernel's clock at the next fit, if that clock keeps its rate.
    const auto off = static_cast<int64_t>(now.ns - said);
    const auto most = static_cast<int64_t>(ns / 1000000 * 2 * kMostPpm + kSlackNs);
    if (off > most || off < -most) {
      GiveUp();
      return 0;
    }
    const auto correction = static_cast<__int128>(rate) * off / static_cast<int64_t>(next);
    Publish(now.ticks, said, static_cast<uint64_t>(static_cast<__int128>(rate) + correction));
  }
  last_ = now;
  return interval_ns_;
}

uint64_t FitTickClock() {
  if (!KernelKeepsTimeByTicks()) {
    tick_clock.GiveUp();
    return 0;
  }
  return tick_clock.Fit(ReadPair());
}

}  // namespace ompprof::collect
