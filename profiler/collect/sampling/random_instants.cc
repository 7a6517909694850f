#include "profiler/collect/sampling/random_instants.h"

#include <time.h>

#include <algorithm>

#include "profiler/collect/base/os.h"
#include "profiler/collect/sampling/sleeping_call.h"
#include "profiler/collect/sampling/source.h"
#include "profiler/collect/thread/session.h"

namespace ompprof::collect {

uint64_t Random(ThreadInstants* instants) {
  uint64_t x = instants->random;
  x ^= x << 13;
  x ^= x >> 7;
  x ^= x << 17;
  return instants->random = x;
}

uint32_t Rarer(const ThreadInstants& instants) {
  return instants.asleep == 0 ? 0 : std::max(instants.asleep / kAsleepEach, session.asleep_signals.level());
}

namespace {

// A random time with an exponential distribution of this mean, to 0.1 %. In whole numbers, because callers outside the
// handler must leave the floating-point environment alone.
uint64_t Exponential(ThreadInstants* instants, uint64_t mean) {
  const uint64_t x = Random(instants) | 1;
  const int zeros = __builtin_clzll(x);
  // x is 2^(63 - zeros) (1 + t). log2(1 + t) = t (1.42286530 - 0.58208537 t + 0.15922006 t^2), in units of 2^-30.
  const auto t = static_cast<int64_t>(x << zeros << 1 >> 34);
  constexpr int64_t kOne = 1 << 30;
  constexpr auto kFirst = static_cast<int64_t>(1.42286530 * kOne);
  constexpr auto kSecond = static_cast<int64_t>(-0.58208537 * kOne);
  constexpr auto kThird = static_cast<int64_t>(0.15922006 * kOne);
  const int64_t log2 = t * (kFirst + (t * (kSecond + (t * kThird >> 30)) >> 30)) >> 30;
  const auto halvings = static_cast<uint64_t>((zeros + 1) * kOne - log2);
  constexpr auto kLn2 = static_cast<uint64_t>(0.69314718 * kOne);
  return static_cast<uint64_t>(static_cast<unsigned __int128>(halvings) * kLn2 * mean >> 60);
}

// The mean time between the thread's instants. To set a timer to a near instant costs some microseconds, so a thread
// that blocks the signal again and again has instants no more often than ticks.
uint64_t MeanTimeFor(const ThreadState& thread) {
  constexpr uint32_t kManyChanges = 16;
  const uint64_t period = PeriodOf(thread);
  const uint64_t least = thread.sampler.mask.changes > kManyChanges ? session.tick_ns : 0;
  return std::max(period, least) << Rarer(thread.sampler.instants);
}

}  // namespace

const char* CreateInstants(ThreadState* thread) { return CreateTimer(thread, CLOCK_MONOTONIC); }

void DestroyInstants(ThreadState* thread) {
  DestroyWorkTimer(thread);
  DestroyTimer(thread);
}

void ToInstant(ThreadState* thread) {
  ThreadInstants& instants = thread->sampler.instants;
  instants.on = true;
  const bool must_wait = instants.calls != 0 && thread->sampler.source == &kOnCpuTimer;
  if (must_wait || !SetTimerAt(thread, instants.due_ns)) instants.on = false;
}

void ToNextInstant(ThreadState* thread, uint64_t now) {
  ThreadInstants& instants = thread->sampler.instants;
  instants.mean_ns = MeanTimeFor(*thread);
  instants.due_ns = now + Exponential(&instants, instants.mean_ns);
  ToInstant(thread);
}

void BeginInstants(ThreadState* thread, uint64_t now, uint64_t cpu_ns) {
  ThreadInstants& instants = thread->sampler.instants;
  instants.random = RandomPhase(~0ull);
  instants.asleep = 0;
  instants.unbroken = ThreadInstants::kAlways;
  instants.seen_ns = now;
  instants.seen_cpu_ns = cpu_ns;
  instants.yields = false;
  ToNextInstant(thread, now);
}

bool EndInstants(ThreadState* thread) {
  if (thread->sampler.work.on && !SetWorkTimer(thread, 0)) return false;
  if (!SetTimerAt(thread, 0)) return false;
  thread->sampler.instants.on = false;
  return true;
}

void CountSleep(ThreadState* thread, uint64_t now, uint64_t cpu_ns, bool same) {
  ThreadInstants& instants = thread->sampler.instants;
  if (same && instants.asleep != 0) session.asleep_signals.Cost(cpu_ns - instants.seen_cpu_ns);
  instants.asleep = same ? std::min(instants.asleep + 1, kMostAsleep) : 1;
  session.asleep_signals.Count(now, session.period);
  if (Rarer(instants) > 0) SetWorkTimer(thread, kWorksAgainNs);
}

void WorkAfterSleep(ThreadState* thread) {
  ThreadInstants& instants = thread->sampler.instants;
  const bool rare = Rarer(instants) > 0;
  instants.asleep = 0;
  if (rare && instants.on) ToNextInstant(thread, MonotonicNs());
}

}  // namespace ompprof::collect
