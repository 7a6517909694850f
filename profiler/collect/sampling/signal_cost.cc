#include "profiler/collect/sampling/signal_cost.h"

#include <string.h>
#include <sys/syscall.h>
#include <time.h>

#include <algorithm>

#include "profiler/collect/base/os.h"
#include "profiler/collect/sampling/source.h"
#include "profiler/collect/thread/session.h"

namespace ompprof::collect {
namespace {

constexpr uint64_t kMany = 200;
constexpr int kProbes = 15;
constexpr uint64_t kProbeNs = 100000;       // from a probe's start to its signal
constexpr uint64_t kPatienceNs = 5000000;   // the thread may lose its processor
constexpr uint64_t kUndisturbedNs = 20000;  // without the processor, or between two readings of two clocks
constexpr int kEnough = 5;                  // probes
constexpr int kMostTries = 5;

}  // namespace

SignalCost signal_cost;

bool SignalCost::TakeProbe(const siginfo_t* info) {
  if (info->si_code != SI_TIMER || info->si_value.sival_ptr != this) return false;
  probes_ = probes_ + 1;
  return true;
}

void SignalCost::MeasureIfMany() {
  if (tries_ == kMostTries || signals_.load(std::memory_order_relaxed) < kMany || session.source == nullptr ||
      !session.source->scales)
    return;
  ++tries_;
  sigevent event;
  memset(&event, 0, sizeof(event));
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = SamplingSignal();
  event.sigev_value.sival_ptr = this;
  event._sigev_un._tid = Tid();
  int timer = 0;
  if (RawSyscall(SYS_timer_create, CLOCK_MONOTONIC, reinterpret_cast<long>(&event), reinterpret_cast<long>(&timer)) !=
      0)
    return;
  const uint64_t before = SetSignalMask(kAllSignals & ~(1ull << (SamplingSignal() - 1)));
  uint64_t gaps[kProbes];
  int count = 0;
  for (int i = 0; i < kProbes; ++i) {
    const sig_atomic_t seen = probes_;
    itimerspec time;
    memset(&time, 0, sizeof(time));
    time.it_value.tv_nsec = kProbeNs;
    const uint64_t begin_cpu = ThreadCpuNs();
    const uint64_t begin = MonotonicNs();
    if (RawSyscall(SYS_timer_settime, timer, 0, reinterpret_cast<long>(&time), 0) != 0) break;
    // The thread looks at the clock all the time. The signal lies between two looks, or between one and the question.
    uint64_t last = MonotonicNs();
    uint64_t gap = 0;
    uint64_t usual = UINT64_MAX;
    bool came = false;
    while (!came && last < begin + kPatienceNs) {
      came = probes_ != seen;
      const uint64_t now = MonotonicNs();
      gap = came ? std::max(gap, now - last) : now - last;
      usual = std::min(usual, now - last);
      last = now;
    }
    const uint64_t lost = last - begin - std::min(ThreadCpuNs() - begin_cpu, last - begin);
    if (came && lost < kUndisturbedNs) gaps[count++] = gap > usual ? gap - usual : 0;
  }
  SetSignalMask(before);
  RawSyscall(SYS_timer_delete, timer);
  if (count < kEnough) return;
  tries_ = kMostTries;
  std::nth_element(gaps, gaps + count / 2, gaps + count);
  delivery_ns_.store(gaps[count / 2], std::memory_order_relaxed);
}

}  // namespace ompprof::collect
