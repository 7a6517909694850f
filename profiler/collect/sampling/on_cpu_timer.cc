// The source of samples by CPU time. A sample is taken at random instants of wall time at which the thread is on a
// processor.
//
// Wall time is cut into stretches of one period, and each stretch has one instant, uniform in the stretch. Instants do
// not depend on the program or on the scheduler, so each moment on a processor has the same chance to be sampled. A
// CPU-time timer has no such instants: the kernel looks at it only at its ticks, at which it also changes threads.
// Threads that meet at barriers beside other programs then fall into step with the tick. Shares were 94/5/1 where
// 50/30/20 is true (four busy loops on two processors, 199 Hz).
//
// A timer of CLOCK_MONOTONIC signals the thread at each instant, at no cost when threads switch. A perf event of each
// thread costs some 10 us at a switch in a virtual machine. It also skips instants in the kernel, whose time then goes
// to whatever the thread does next in user code.
//
// Four cases at a signal:
//   - the thread ran at the instant, in user code or in the kernel: a sample;
//   - the thread had lost its processor: the signal comes when it has a processor again. No sample: the place is where
//     the scheduler stopped the thread;
//   - the thread slept in a system call that goes on after a signal, such as a futex: no sample, and the next signals
//     come later (kMostAsleep);
//   - the thread slept in a system call that a signal ends. The wrappers of libc's functions keep the timer off
//     meanwhile (sleeping_call.h). A thread that makes such a call without libc is left to the tick.
#include <errno.h>
#include <linux/futex.h>
#include <time.h>

#include <algorithm>

#include "profiler/collect/arch/code.h"
#include "profiler/collect/arch/registers.h"
#include "profiler/collect/base/os.h"
#include "profiler/collect/sampling/masked_time.h"
#include "profiler/collect/sampling/sleeping_call.h"
#include "profiler/collect/sampling/source.h"
#include "profiler/collect/thread/session.h"
#include "profiler/collect/thread/thread_state.h"
#include "profiler/collect/unwind/safe_read.h"

namespace ompprof::collect {
namespace {

// After each eighth signal in a row that found the thread asleep, stretches are twice as long, up to 64 times. A signal
// wakes the thread for some 5 us.
constexpr uint32_t kAsleepEach = 8;
constexpr uint32_t kMostAsleep = 6 * kAsleepEach;

uint64_t Random(ThreadInstants* instants) {  // xorshift64 (Marsaglia, Xorshift RNGs, 2003)
  uint64_t x = instants->random;
  x ^= x << 13;
  x ^= x >> 7;
  x ^= x << 17;
  return instants->random = x;
}

// Sets the timer to the thread's present instant. Not while the thread is in a call that must not be interrupted.
void ToInstant(ThreadState* thread) {
  ThreadInstants& instants = thread->sampler.instants;
  instants.on = true;
  if (instants.calls != 0 || !SetTimerAt(thread, instants.due_ns)) instants.on = false;
}

// The length of the thread's stretches. To set a timer to a near instant costs some microseconds, so a thread that
// blocks the signal again and again has stretches no shorter than a tick.
uint64_t StretchOf(const ThreadState& thread) {
  constexpr uint32_t kManyChanges = 16;
  const uint64_t period = PeriodOf(thread);
  const uint64_t least = thread.sampler.mask.changes > kManyChanges ? session.tick_ns : 0;
  return std::max(period, least) << thread.sampler.instants.asleep / kAsleepEach;
}

// Draws the first instant after `now`.
void ToNextInstant(ThreadState* thread, uint64_t now) {
  ThreadInstants& instants = thread->sampler.instants;
  const uint64_t period = StretchOf(*thread);
  uint64_t due = 0;
  if (now >= instants.stretch_ns) {
    // Stretches have begun meanwhile. The instant of the last one may be over: it was as likely then as it is now.
    const uint64_t passed = now - instants.stretch_ns;
    instants.stretch_ns += passed - passed % period;
    due = instants.stretch_ns + Random(&instants) % period;
    instants.stretch_ns += period;
  }
  if (due <= now) {
    due = instants.stretch_ns + Random(&instants) % period;
    instants.stretch_ns += period;
  }
  instants.due_ns = due;
  instants.period_ns = period;
  ToInstant(thread);
}

// After a pause. An instant that is not over stays.
void ContinueInstants(ThreadState* thread) {
  const uint64_t now = MonotonicNs();
  thread->sampler.instants.due_ns > now ? ToInstant(thread) : ToNextInstant(thread, now);
}

// Starts the instants anew, with a stretch that has begun at random.
void Begin(ThreadState* thread) {
  ThreadInstants& instants = thread->sampler.instants;
  const uint64_t now = MonotonicNs();
  instants.random = RandomPhase(~0ull);
  instants.stretch_ns = now - Random(&instants) % PeriodOf(*thread);
  instants.seen_ns = now;
  instants.seen_cpu_ns = ClockNs(ThreadCpuClock(thread->identity.tid));
  instants.asleep = 0;
  ToNextInstant(thread, now);
}

// False: this is another process in the thread's memory (vfork), and the timer goes on.
bool End(ThreadState* thread) {
  if (!SetTimerAt(thread, 0)) return false;
  thread->sampler.instants.on = false;
  return true;
}

enum class Call : uint8_t {
  kNone,
  kGoesOn,  // a signal has interrupted it, and the kernel will continue it
  kFailed,  // a signal has ended it
};

// The system call that the signal found the thread in.
Call InterruptedCall(const ucontext_t& context) {
  const uintptr_t pc = arch::ContextRegister(context, arch::kReturnAddress);
  uint8_t code[arch::kSystemCallBytes];
  if (SafeRead(pc, code, sizeof(code)) && arch::IsSystemCall(code)) return Call::kGoesOn;
  if (arch::SystemCallResult(context) != -EINTR) return Call::kNone;
  return SafeRead(pc - sizeof(code), code, sizeof(code)) && arch::IsSystemCall(code) ? Call::kFailed : Call::kNone;
}

// A timed wait of pthread_cond_timedwait or of a runtime, which waits again.
bool LooksLikeFutex(const ucontext_t& context) {
  constexpr uintptr_t kWaits = 1u << FUTEX_WAIT | 1u << FUTEX_WAIT_BITSET | 1u << FUTEX_LOCK_PI |
                               1u << FUTEX_WAIT_REQUEUE_PI | 1u << FUTEX_LOCK_PI2;
  const uintptr_t operation =
      arch::SystemCallSecondArgument(context) & ~uintptr_t{FUTEX_PRIVATE_FLAG | FUTEX_CLOCK_REALTIME};
  return operation < 32 && (kWaits >> operation & 1) != 0;
}

// A signal takes this much longer than usual if the thread was not on a processor: a scheduler's slice takes
// milliseconds.
constexpr uint64_t kLatest = 4;
constexpr uint64_t kFirstUsualNs = 8000;
constexpr uint64_t kMostUsualNs = 50000;

// Whether the thread was on a processor at its instant, by the wall clock and the thread's CPU clock now.
bool WasOnProcessor(ThreadState* thread, const ucontext_t* context, uint64_t now, uint64_t cpu_ns) {
  ThreadInstants& instants = thread->sampler.instants;
  const uint64_t delay = now - instants.due_ns;
  // The CPU time since the instant, if the thread was on a processor all the time from the last signal to the instant.
  const auto since =
      static_cast<int64_t>(cpu_ns - instants.seen_cpu_ns) - static_cast<int64_t>(instants.due_ns - instants.seen_ns);
  if (since > static_cast<int64_t>(delay / 2)) {
    // It was, and it is: a late signal found the thread in the kernel.
    const uint64_t usual = instants.usual_delay_ns != 0 ? instants.usual_delay_ns : kFirstUsualNs;
    instants.usual_delay_ns = (usual * 15 + std::min(delay, kMostUsualNs)) / 16;
    instants.asleep = 0;
    return true;
  }
  const Call call = context != nullptr ? InterruptedCall(*context) : Call::kGoesOn;
  if (call == Call::kNone) {
    const uint64_t usual = instants.usual_delay_ns != 0 ? instants.usual_delay_ns : kFirstUsualNs;
    if (delay > kLatest * usual) return false;
    instants.asleep = 0;
    return true;
  }
  if (call == Call::kFailed && instants.calls == 0 && !LooksLikeFutex(*context)) LeaveToTick(thread);
  if (instants.asleep < kMostAsleep) ++instants.asleep;
  return false;
}

// Each instant on a processor stands for the stretch of time in which it was drawn. This is right on average; the
// writer scales the weights of a second to the thread's CPU time (write/sample_scale.h).
uint64_t Weigh(ThreadState* thread, const siginfo_t* info, const ucontext_t* context, uint32_t* count) {
  ThreadInstants& instants = thread->sampler.instants;
  if (!FromTimer(thread, info) || !instants.on) return 0;
  const uint64_t now = MonotonicNs();
  const uint64_t cpu_ns = ThreadCpuNs();
  if (now < instants.due_ns) return 0;  // the signal of an instant that was given up
  const uint64_t weight = instants.period_ns;
  const bool sampled = WasOnProcessor(thread, context, now, cpu_ns);
  if (thread->sampler.source != &kOnCpuTimer) return 0;
  instants.seen_ns = now;
  instants.seen_cpu_ns = cpu_ns;
  ToNextInstant(thread, now);
  *count = 1;
  return sampled ? weight : 0;
}

const char* Create(ThreadState* thread) { return CreateTimer(thread, CLOCK_MONOTONIC); }

void Arm(ThreadState* thread) {
  thread->sampler.instants.CountFrom(ClockNs(ThreadCpuClock(thread->identity.tid)));
  Begin(thread);
}

void Disarm(ThreadState* thread) {
  End(thread);
  thread->sampler.instants.CountUntil(ClockNs(ThreadCpuClock(thread->identity.tid)));
}

bool Suspend(ThreadState* thread) {
  if (!End(thread)) return false;
  BeginMaskedTime(thread);
  thread->sampler.instants.CountUntil(thread->sampler.mask.begin_clock);
  return true;
}

bool Resume(ThreadState* thread) {
  ThreadInstants& instants = thread->sampler.instants;
  if (instants.random == 0) instants.random = RandomPhase(~0ull);  // the thread began with the signal blocked
  ContinueInstants(thread);
  if (!instants.on && instants.calls == 0) return false;
  instants.CountFrom(thread->sampler.mask.begin_clock + EndMaskedTime(thread));
  return true;
}

void Repace(ThreadState*) {}  // each instant asks for the period

}  // namespace

void BeginSleepingCall(ThreadState* thread) {
  ++thread->sampler.instants.calls;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  // A signal that is on its way comes before this returns, and finds `calls`.
  if (thread->sampler.instants.on) End(thread);
}

void EndSleepingCall(ThreadState* thread) {
  ThreadInstants& instants = thread->sampler.instants;
  instants.calls = instants.calls - 1;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  if (instants.calls != 0 || instants.on || thread->sampler.source != &kOnCpuTimer || !thread->sampler.armed ||
      thread->sampler.mask.blocks() || !session.collecting.load(std::memory_order_relaxed))
    return;
  instants.asleep = 0;
  ContinueInstants(thread);
}

void LeaveSleepingCalls(ThreadState* thread) {
  thread->sampler.instants.calls = 1;
  EndSleepingCall(thread);
}

constexpr Source kOnCpuTimer = [] {
  Source source{};
  source.name = "on-cpu-timer";
  source.weight_unit = "nanoseconds";
  source.weight = WeightKind::kCpuTime;
  source.fires_asleep = true;
  source.any_thread = true;
  source.scales = true;
  source.create = Create;
  source.destroy = DestroyTimer;
  source.arm = Arm;
  source.disarm = Disarm;
  source.weigh = Weigh;
  source.suspend = Suspend;
  source.resume = Resume;
  source.repace = Repace;
  return source;
}();

}  // namespace ompprof::collect
