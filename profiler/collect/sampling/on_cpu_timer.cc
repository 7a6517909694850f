// The source of samples by CPU time. A sample is taken at random instants (random_instants.h) at which the thread is on
// a processor.
//
// A CPU-time timer: the kernel looks at it only at its ticks, at which it also changes threads. Threads that meet at
// barriers beside other programs fall into step with the tick. Shares were 94/5/1 where 50/30/20 is true (four busy
// loops on two processors, 199 Hz).
//
// One uniform instant in each period of wall time or of CPU time: a sample makes the kernel look at how long the thread
// has run, so it often loses its processor right then. A thread that spins for another need not spin any more. The rest
// of its period, which has no instant, is then work. Work was 4 of 70 points too low.
//
// A timer of CLOCK_MONOTONIC signals the thread at each instant, at no cost when threads switch. A perf event of each
// thread costs some 10 us at a switch in a virtual machine. It also skips instants in the kernel, whose time then goes
// to whatever the thread does next in user code.
//
// Four cases at a signal:
//   - the thread ran at the instant, in user code or in the kernel: a sample. A long system call, or a handler that
//     blocks the signal, may have used CPU time since. No instant could come meanwhile, so the sample stands for that
//     time too;
//   - it had lost its processor: the signal comes when it has a processor again. No sample: the place is where the
//     scheduler stopped the thread;
//   - it slept in a system call that goes on after a signal: no sample, and the next signals come later. In a futex,
//     outside of OpenMP's waits, it slept for a lock or the like. The call path of that wait is kept (TakeSleep), with
//     the mean time between instants: right on average, for instants are random in wall time;
//   - it slept in a system call that a signal ends. The wrappers of libc's functions keep the signal away meanwhile
//     (sleeping_call.h). A thread that makes such a call without libc is left to the tick.
#include <sys/syscall.h>
#include <time.h>

#include <algorithm>

#include "profiler/collect/base/os.h"
#include "profiler/collect/sampling/interrupted_call.h"
#include "profiler/collect/sampling/masked_time.h"
#include "profiler/collect/sampling/random_instants.h"
#include "profiler/collect/sampling/signal_stack.h"
#include "profiler/collect/sampling/sleeping_call.h"
#include "profiler/collect/sampling/source.h"
#include "profiler/collect/sampling/take_sample.h"
#include "profiler/collect/thread/session.h"
#include "profiler/collect/thread/thread_state.h"

namespace ompprof::collect {
namespace {

// A signal takes this much longer than usual if the thread was not on a processor: a scheduler's slice takes
// milliseconds.
constexpr uint64_t kLatest = 2;
// Before a thread's own delays are known. A signal takes from 2 to 30 us, by the machine (pace_test.cc). With 8 us,
// threads of 50 ms had 1 to 3 of 20 samples in a busy virtual machine.
constexpr uint64_t kFirstUsualNs = 25000;
constexpr uint64_t kMostUsualNs = 50000;

// What a yield takes in the kernel, with the switch to another thread and back, before the thread's own is known.
constexpr uint64_t kFirstYieldNs = 2000;

uint64_t UsualDelay(const ThreadInstants& instants) {
  return instants.usual_delay_ns != 0 ? instants.usual_delay_ns : kFirstUsualNs;
}

// A thread that waits by yielding has a processor for a microsecond or two at a time, and may get it back soon. So no
// clock tells whether it was on one at an instant. But its yields can be counted, for each makes it lose the processor
// once. One takes the least CPU time for each loss, from one signal to the next, that was seen so far. An eighth of
// that is outside of the kernel, where signals tell it by themselves. (16 threads of libomp on two processors: 2.3 us
// for each loss, and 0.3 us of that in the runtime's code.)
void CountYields(ThreadInstants* instants, uint64_t cpu_ns) {
  constexpr uint64_t kManyTimes = 32;
  const KernelWork switches = KernelWorkOfThread();
  const uint64_t times = switches.left + switches.lost - instants->switches;
  const uint64_t on = cpu_ns - instants->seen_cpu_ns;
  instants->switches += times;
  if (times >= kManyTimes) instants->yield_ns = std::min(instants->yield_ns, on / times * 7 / 8);
  instants->yields_ns += std::min(on, times * instants->yield_ns);
}

// The first signal behind a yield. Switches before it may be sleeps of long ago.
void BeginYields(ThreadInstants* instants) {
  const KernelWork switches = KernelWorkOfThread();
  instants->yields = true;
  instants->switches = switches.left + switches.lost;
  instants->yield_ns = kFirstYieldNs;
  instants->yields_ns = 0;
}

// Whether a signal behind a yield is a sample of the yields since the last such signal.
bool IsSampleOfYields(ThreadInstants* instants) {
  const uint64_t expected = instants->yields_ns;
  const bool is_sample = Random(instants) % instants->mean_ns < expected;
  instants->yields_ns = expected - std::min(expected, instants->mean_ns);
  return is_sample;
}

// CPU time that the thread has surely used since its instant: what it has used since the last signal, less the time
// from that signal to the instant. It is all of it if the thread was on a processor from signal to instant.
uint64_t CpuSinceInstant(const ThreadInstants& instants, uint64_t now, uint64_t cpu_ns) {
  const uint64_t used = cpu_ns - instants.seen_cpu_ns;
  const uint64_t before = instants.due_ns - instants.seen_ns;
  return used > before ? std::min(used - before, now - instants.due_ns) : 0;
}

enum class Found : uint8_t { kOnProcessor, kOffProcessor, kInFutex };

// Where the thread was at its instant, by the wall clock and the CPU time used since. A thread that was woken between
// the instant and its signal, and waited for a processor, was in the futex's call all the same.
Found FoundAtInstant(ThreadState* thread, const ucontext_t* context, uint64_t now, uint64_t cpu_ns, uint64_t since) {
  ThreadInstants& instants = thread->sampler.instants;
  const uint64_t usual = UsualDelay(instants);
  const uint64_t delay = now - instants.due_ns;
  if (since > std::min(delay / 2, kLatest * usual)) {
    // It was, and it is: a late signal found the thread in the kernel.
    instants.usual_delay_ns = (usual * 15 + std::min(delay, kMostUsualNs)) / 16;
    // A sample of the yields that are counted.
    if (instants.yields && context != nullptr && InterruptedCall(*context) == Call::kYielded)
      instants.yields_ns -= std::min(instants.yields_ns, instants.mean_ns);
    return Found::kOnProcessor;
  }
  // A look at the program's code may sleep: another thread may be changing the process's mappings.
  const uint64_t sleeps = instants.asleep != 0 ? KernelWorkOfThread().left : 0;
  Call call = context != nullptr ? InterruptedCall(*context) : Call::kGoesOn;
  if (call == Call::kFailed && instants.retries) call = Call::kNone;
  if (call == Call::kNone || call == Call::kYielded || call == Call::kWoken) instants.asleep = 0;
  if (call == Call::kNone) return delay <= kLatest * usual ? Found::kOnProcessor : Found::kOffProcessor;
  if (call == Call::kYielded || call == Call::kWoken) {
    if (!instants.yields) BeginYields(&instants);
    if (IsSampleOfYields(&instants)) return Found::kOnProcessor;
    return call == Call::kWoken ? Found::kInFutex : Found::kOffProcessor;
  }
  if (call == Call::kFailed && instants.calls == 0 && !LooksLikeFutex(*context)) {
    LeaveToTick(thread);
    return Found::kOffProcessor;
  }
  // After a signal the thread goes back to its sleep once.
  const bool same = instants.asleep == 0 || sleeps - instants.sleeps <= 1;
  CountSleep(thread, now, cpu_ns, same);
  return context != nullptr && call == Call::kGoesOn && GoesOnWithFutex(*context) ? Found::kInFutex
                                                                                  : Found::kOffProcessor;
}

// What the sample at this signal stands for: the mean time between instants, and the CPU time in which its signal was
// on its way. This is right on average; the writer scales the weights of a second to the thread's CPU time
// (write/rounds/sample_scale.h).
//
// A late signal counts only if the clocks prove that the thread was on a processor at the instant. They can do so if
// the time off a processor, from the last signal to the instant, was shorter than the CPU time from the instant to the
// signal. How often that is so, the signals that came soon tell: the rarer it is, the more a late one stands for.
uint64_t WeightAtInstant(ThreadInstants* instants, uint64_t now, uint64_t cpu_ns, uint64_t since) {
  constexpr uint64_t kLeast = ThreadInstants::kAlways / 8;
  const uint64_t soon = kLatest * UsualDelay(*instants);
  const uint64_t weight = instants->mean_ns + since;
  if (now - instants->due_ns > soon) {
    instants->late_ns = instants->late_ns != 0 ? (instants->late_ns * 7 + since) / 8 : since;
    return weight * ThreadInstants::kAlways / std::max(instants->unbroken, kLeast);
  }
  const uint64_t off = now - instants->seen_ns - std::min(now - instants->seen_ns, cpu_ns - instants->seen_cpu_ns);
  const bool unbroken = off <= std::max(soon, instants->late_ns);
  instants->unbroken = (instants->unbroken * 31 + (unbroken ? ThreadInstants::kAlways : 0)) / 32;
  return weight;
}

// What the sleep at this signal stands for, of `slept_ns` on average. Where many threads sleep, few of their first
// signals are walked: each is new to its thread, and costs ten times as much as the signal.
uint64_t SleptAtInstant(ThreadInstants* instants, uint64_t slept_ns) {
  const uint64_t rarer = (session.period << session.asleep_signals.level()) / instants->mean_ns;
  if (rarer <= 1) return slept_ns;
  return Random(instants) % rarer == 0 ? slept_ns * rarer : 0;
}

// Whether the instant was in a signal handler that kept the signal away (signal_stack.h): it came late, and the thread
// was on a processor meanwhile, but not in the kernel, for a system call or a fault. Handlers shorter than this are
// taken for the code that they interrupt.
bool InUnsampledHandler(const ThreadState& thread, const ucontext_t* context, uint64_t since) {
  constexpr uint64_t kShortNs = 100000;
  if (since < kShortNs || !WaitsForHandlers() || context == nullptr || InterruptedCall(*context) != Call::kNone)
    return false;
  const KernelWork now = KernelWorkOfThread();
  const ThreadIdentity::Work& work = thread.identity.kernel_work;
  return now.minor_faults == work.minor_faults.load(std::memory_order_relaxed) &&
         now.major_faults == work.major_faults.load(std::memory_order_relaxed);
}

uint64_t Weigh(ThreadState* thread, const siginfo_t* info, const ucontext_t* context, uint32_t* count) {
  ThreadInstants& instants = thread->sampler.instants;
  if (!FromTimer(thread, info) || !instants.on) return 0;
  if (FromWorkTimer(thread, info)) {
    WorkAfterSleep(thread);
    return 0;
  }
  const uint64_t now = MonotonicNs();
  const uint64_t cpu_ns = ThreadCpuNs();
  if (now < instants.due_ns) return 0;  // the signal of an instant that was given up
  if (instants.calls != 0) {            // the end of the call samples the instant
    instants.on = false;
    return 0;
  }
  const uint64_t mean = instants.mean_ns;
  const uint64_t since = CpuSinceInstant(instants, now, cpu_ns);
  if (instants.yields) CountYields(&instants, cpu_ns);
  const Found found = FoundAtInstant(thread, context, now, cpu_ns, since);
  if (thread->sampler.source != &kOnCpuTimer) return 0;
  const uint64_t weight = found == Found::kOnProcessor ? WeightAtInstant(&instants, now, cpu_ns, since) : 0;
  if (weight != 0) {
    instants.asleep = 0;
    thread->sampler.in_unsampled_handler = InUnsampledHandler(*thread, context, since);
  }
  // The time from an instant to its signal has no instants. On a busy machine it is as long as a slice.
  if (found == Found::kInFutex) thread->sampler.slept_ns = SleptAtInstant(&instants, mean + (now - instants.due_ns));
  instants.seen_ns = now;
  instants.seen_cpu_ns = cpu_ns;
  ToNextInstant(thread, now);
  *count = 1;
  return weight;
}

void Arm(ThreadState* thread) {
  const uint64_t cpu_ns = ClockNs(ThreadCpuClock(thread->identity.tid));
  thread->sampler.instants.CountFrom(cpu_ns);
  BeginInstants(thread, MonotonicNs(), cpu_ns);
}

void Disarm(ThreadState* thread) {
  EndInstants(thread);
  thread->sampler.instants.CountUntil(ClockNs(ThreadCpuClock(thread->identity.tid)));
}

bool Suspend(ThreadState* thread) {
  if (!EndInstants(thread)) return false;
  BeginMaskedTime(thread);
  thread->sampler.instants.CountUntil(thread->sampler.mask.begin_clock);
  return true;
}

bool Resume(ThreadState* thread) {
  ThreadInstants& instants = thread->sampler.instants;
  const uint64_t now = MonotonicNs();
  if (instants.random == 0) {  // the thread began with the signal blocked
    BeginInstants(thread, now, ThreadCpuNs());
  } else {
    ToNextInstant(thread, now);
  }
  if (!instants.on && instants.calls == 0) return false;
  const uint64_t masked_ns = EndMaskedTime(thread);
  instants.CountFrom(thread->sampler.mask.begin_clock + masked_ns);
  return true;
}

void Repace(ThreadState*) {}  // each instant asks for the period

}  // namespace

namespace {

void ChangeMask(int how) {
  const uint64_t signal = 1ull << (session.config.signal - 1);
  RawSyscall(SYS_rt_sigprocmask, how, reinterpret_cast<long>(&signal), 0, sizeof(signal));
}

}  // namespace

void BeginSleepingCall(ThreadState* thread) {
  ThreadInstants& instants = thread->sampler.instants;
  if (instants.calls++ != 0) return;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  if (thread->sampler.source == &kHelperTick) {
    instants.masked = true;
    return ChangeMask(SIG_BLOCK);
  }
  // A signal that is on its way comes before this returns, and finds `calls`.
  if (instants.on) EndInstants(thread);
  instants.masked = false;
  instants.call_ns = MonotonicNs();
  instants.call_cpu_ns = ThreadCpuNs();
}

void BeginMaskedWait(ThreadState* thread) {
  constexpr uint32_t kMeasuredEach = 16;
  ThreadInstants& instants = thread->sampler.instants;
  instants.masked = true;
  if (instants.calls++ != 0) return;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  if (thread->sampler.source != &kOnCpuTimer) return;
  instants.call_ns = MonotonicNs();
  instants.call_cpu_ns = instants.waits++ % kMeasuredEach == 0 ? ThreadCpuNs() : 0;
}

namespace {

// Whether instants come to the thread while it is in no call.
bool HasInstants(const ThreadState& thread) {
  return thread.sampler.source == &kOnCpuTimer && thread.sampler.armed && !thread.sampler.mask.blocks() &&
         session.collecting.load(std::memory_order_relaxed);
}

}  // namespace

void EndSleepingCall(ThreadState* thread, uintptr_t function) {
  ThreadInstants& instants = thread->sampler.instants;
  if (thread->sampler.source == &kHelperTick) {
    if (instants.calls != 0) instants.calls = instants.calls - 1;
    std::atomic_signal_fence(std::memory_order_seq_cst);
    if (instants.calls != 0) return;
    instants.masked = false;
    if (!thread->sampler.mask.blocks()) ChangeMask(SIG_UNBLOCK);
    return;
  }
  // The call's CPU time: measured, or that of such a call on average.
  uint64_t cpu_in_call_ns = instants.wait_cpu_ns;
  if (instants.calls == 1 && instants.call_cpu_ns != 0 && thread->sampler.source == &kOnCpuTimer) {
    cpu_in_call_ns = ThreadCpuNs() - instants.call_cpu_ns;
    if (instants.masked)
      instants.wait_cpu_ns = instants.waits == 1 ? cpu_in_call_ns : (instants.wait_cpu_ns * 7 + cpu_in_call_ns) / 8;
  }
  // A jump that stays in a handler of the program's has ended the call already.
  if (instants.calls != 0) instants.calls = instants.calls - 1;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  if (instants.calls != 0) return;
  instants.masked = false;
  if (!HasInstants(*thread)) return;
  if (instants.on) return WaitHasEnded(thread);
  instants.asleep = 0;
  const uint64_t now = MonotonicNs();
  if (now < instants.due_ns) return ToInstant(thread);
  // An instant has come in the call, and some more on average. They met the thread on a processor as likely as the call
  // was on one. `expected` is what their samples would stand for, on average.
  const uint64_t in_call_ns = now - instants.call_ns + 1;
  cpu_in_call_ns = std::min(cpu_in_call_ns, in_call_ns);
  const auto expected = static_cast<uint64_t>(static_cast<unsigned __int128>(instants.mean_ns + now - instants.due_ns) *
                                              cpu_in_call_ns / in_call_ns);
  uint64_t weight = std::max(expected, instants.mean_ns);
  if (expected < Random(&instants) % weight) weight = 0;
  instants.seen_ns = now;
  instants.seen_cpu_ns = ThreadCpuNs();
  ToNextInstant(thread, now);
  if (weight != 0) SampleCall(thread, function, weight);
}

void EndSleepSignal(ThreadState* thread) {
  ThreadInstants& instants = thread->sampler.instants;
  if (instants.asleep != 0) instants.sleeps = KernelWorkOfThread().left;
}

void LeaveSleepingCalls(ThreadState* thread) {
  ThreadInstants& instants = thread->sampler.instants;
  instants.retries = false;
  if (instants.calls == 0) return;
  LeaveWaitMask();  // the program's handler does not return to the wait, so its mask would stay
  instants.calls = 0;
  instants.masked = false;
  if (HasInstants(*thread)) ToNextInstant(thread, MonotonicNs());
}

void LeaveWaitMask() {
  const ThreadState* const thread = this_thread;
  if (thread == nullptr || session.ended.load(std::memory_order_relaxed) || thread->sampler.instants.calls == 0 ||
      !thread->sampler.instants.masked || thread->sampler.mask.blocks())
    return;
  ChangeMask(SIG_UNBLOCK);
}

// The personality routine of the frames with calls. The unwinder calls it with other arguments too, which it needs not
// know. In the first of an exception's two phases, the unwinder only searches for a frame that catches.
extern "C" __attribute__((used, visibility("hidden"))) int ompprof_leave_frame(int, int actions) {
  constexpr int kCleanupPhase = 2;    // _UA_CLEANUP_PHASE
  constexpr int kContinueUnwind = 8;  // _URC_CONTINUE_UNWIND
  if ((actions & kCleanupPhase) != 0 && this_thread != nullptr) LeaveSleepingCalls(this_thread);
  return kContinueUnwind;
}

constexpr Source kOnCpuTimer = [] {
  Source source{};
  source.name = "on-cpu-timer";
  source.weight_unit = "nanoseconds";
  source.weight = WeightKind::kCpuTime;
  source.fires_asleep = true;
  source.any_thread = true;
  source.scales = true;
  source.create = CreateInstants;
  source.destroy = DestroyInstants;
  source.arm = Arm;
  source.disarm = Disarm;
  source.weigh = Weigh;
  source.suspend = Suspend;
  source.resume = Resume;
  source.repace = Repace;
  return source;
}();

}  // namespace ompprof::collect
