// The sources that are POSIX timers: one timer for each thread, delivered to that thread (SIGEV_THREAD_ID).
#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "profiler/collect/base/os.h"
#include "profiler/collect/sampling/masked_time.h"
#include "profiler/collect/sampling/source.h"
#include "profiler/collect/thread/session.h"
#include "profiler/collect/thread/thread_state.h"

namespace ompprof::collect {

namespace {

// The kernel's error, or 0.
long Create(ThreadState* thread, clockid_t clock, timer_t* timer) {
  sigevent event;
  memset(&event, 0, sizeof(event));
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = session.config.signal;
  event.sigev_value.sival_ptr = thread;
  event._sigev_un._tid = thread->identity.tid;
  // This is the kernel's call, not glibc's: glibc's wrappers encode timer ids in their own ways.
  int id = 0;
  const long result = RawSyscall(SYS_timer_create, clock, reinterpret_cast<long>(&event), reinterpret_cast<long>(&id));
  if (result == 0) *timer = reinterpret_cast<timer_t>(static_cast<intptr_t>(id));
  return result;
}

long IdOf(timer_t timer) { return static_cast<int>(reinterpret_cast<intptr_t>(timer)); }
long TimerId(const ThreadState* thread) { return IdOf(thread->sampler.timer); }

timespec Spec(uint64_t ns) { return {static_cast<time_t>(ns / 1000000000ull), static_cast<long>(ns % 1000000000ull)}; }

}  // namespace

const char* CreateTimer(ThreadState* thread, clockid_t clock) {
  const long result = Create(thread, clock, &thread->sampler.timer);
  if (result == -EAGAIN) return "timer_create: the limit on pending signals (ulimit -i) is reached";
  return result < 0 ? "timer_create failed" : nullptr;
}

void DestroyTimer(ThreadState* thread) { RawSyscall(SYS_timer_delete, TimerId(thread)); }

bool SetTimer(ThreadState* thread, uint64_t first_ns, uint64_t period_ns) {
  const itimerspec spec = {Spec(period_ns), Spec(first_ns)};
  return RawSyscall(SYS_timer_settime, TimerId(thread), 0, reinterpret_cast<long>(&spec), 0) == 0;
}

bool SetTimerAt(ThreadState* thread, uint64_t at_ns) {
  const itimerspec spec = {Spec(0), Spec(at_ns)};
  return RawSyscall(SYS_timer_settime, TimerId(thread), TIMER_ABSTIME, reinterpret_cast<long>(&spec), 0) == 0;
}

bool FromTimer(const ThreadState* thread, const siginfo_t* info) {
  return info->si_code == SI_TIMER && info->si_value.sival_ptr == thread;
}

bool SetWorkTimer(ThreadState* thread, uint64_t cpu_ns) {
  WorkTimer& work = thread->sampler.work;
  if (!work.exists && (cpu_ns == 0 || Create(thread, ThreadCpuClock(thread->identity.tid), &work.timer) != 0))
    return cpu_ns == 0;
  work.exists = true;
  work.on = cpu_ns != 0;
  const itimerspec spec = {Spec(0), Spec(cpu_ns)};
  return RawSyscall(SYS_timer_settime, IdOf(work.timer), 0, reinterpret_cast<long>(&spec), 0) == 0;
}

bool FromWorkTimer(const ThreadState* thread, const siginfo_t* info) {
  return thread->sampler.work.exists && info->si_timerid == IdOf(thread->sampler.work.timer);
}

void DestroyWorkTimer(ThreadState* thread) {
  if (thread->sampler.work.exists) RawSyscall(SYS_timer_delete, IdOf(thread->sampler.work.timer));
  thread->sampler.work.Reset();
}

uint64_t PeriodOf(const ThreadState& thread) { return session.period << thread.sampler.pace.shift(); }

namespace {

// No CPU timer fires more often than at ticks.
uint64_t TickOf(const ThreadState& thread) {
  const uint64_t period = thread.sampler.source->weight == WeightKind::kEvents ? 0 : PeriodOf(thread);
  return period > session.tick_ns ? period : session.tick_ns;
}

bool Suspend(ThreadState* thread) { return SetTimer(thread, 0, 0); }

}  // namespace

const char* CreateTickTimer(ThreadState* thread) { return CreateTimer(thread, ThreadCpuClock(thread->identity.tid)); }
void SetTickTimer(ThreadState* thread, bool on) {
  const uint64_t tick = TickOf(*thread);
  SetTimer(thread, on ? RandomPhase(tick) : 0, on ? tick : 0);
}
bool SuspendTickTimer(ThreadState* thread) { return Suspend(thread); }
bool ResumeTickTimer(ThreadState* thread) {
  const uint64_t tick = TickOf(*thread);
  return SetTimer(thread, RandomPhase(tick), tick);
}

namespace {

void Disarm(ThreadState* thread) { SetTimer(thread, 0, 0); }

// A CPU timer, whose period contains stretches that do not count. The CPU clock gives the weight of its signals.
const char* CreateCpu(ThreadState* thread) { return CreateTimer(thread, ThreadCpuClock(thread->identity.tid)); }
void ArmClockedCpu(ThreadState* thread) {
  thread->sampler.last_clock = ClockNs(ThreadCpuClock(thread->identity.tid));
  SetTimer(thread, RandomPhase(TickOf(*thread)), TickOf(*thread));
}
uint64_t WeighClockedCpu(ThreadState* thread, const siginfo_t* info, const ucontext_t*, uint32_t* count) {
  if (!FromTimer(thread, info)) return 0;
  const uint64_t now = ThreadCpuNs();
  if (now <= thread->sampler.last_clock) return 0;  // masked time is known only to some microseconds
  const uint64_t passed = now - thread->sampler.last_clock;
  thread->sampler.last_clock = now;
  *count = 1;
  return passed;
}
bool SuspendClocked(ThreadState* thread) {
  if (!Suspend(thread)) return false;
  BeginMaskedTime(thread);
  return true;
}
// If a period ended without a signal, the next tick brings the signal. The moment of unblocking must not bring the
// signal, because most samples would then be taken there.
bool ResumeClockedCpu(ThreadState* thread) {
  constexpr uint64_t kSoon = 1000;
  const uint64_t period = TickOf(*thread);
  const uint64_t since = thread->sampler.mask.begin_clock - thread->sampler.last_clock;
  if (!SetTimer(thread, since + kSoon < period ? period - since : kSoon, period)) return false;
  EndMaskedTime(thread);
  return true;
}
void RepaceClockedCpu(ThreadState* thread) { SetTimer(thread, TickOf(*thread), TickOf(*thread)); }

}  // namespace

void LeaveToTick(ThreadState* thread) {
  thread->sampler.source->destroy(thread);
  thread->sampler.source = &kClockedCpuTimer;
  thread->sampler.last_clock = ThreadCpuNs();
  session.slow_threads.fetch_add(1, std::memory_order_relaxed);
  if (CreateCpu(thread) != nullptr || !session.collecting.load(std::memory_order_seq_cst)) return;
  SetTimer(thread, RandomPhase(TickOf(*thread)), TickOf(*thread));
  // If sampling has ended meanwhile, its end has found only the old timer.
  if (!session.collecting.load(std::memory_order_seq_cst)) Disarm(thread);
}

constexpr Source kClockedCpuTimer = [] {
  Source source{};
  source.name = "tick-timer";
  source.weight_unit = "nanoseconds";
  source.weight = WeightKind::kCpuTime;
  source.any_thread = true;
  source.weighs_by_cpu_clock = true;
  source.create = CreateCpu;
  source.destroy = DestroyTimer;
  source.arm = ArmClockedCpu;
  source.disarm = Disarm;
  source.weigh = WeighClockedCpu;
  source.suspend = SuspendClocked;
  source.resume = ResumeClockedCpu;
  source.repace = RepaceClockedCpu;
  return source;
}();

uint32_t KernelTickNs() {
  timespec tick;
  if (clock_getres(CLOCK_MONOTONIC_COARSE, &tick) != 0) return 4000000;
  return static_cast<uint32_t>(tick.tv_nsec);
}

uint64_t RandomPhase(uint64_t period) {
  uint64_t mixed = (MonotonicNs() ^ static_cast<uint64_t>(Tid()) << 40) * 0x9e3779b97f4a7c15ull;
  mixed ^= mixed >> 31;
  mixed *= 0xbf58476d1ce4e5b9ull;
  mixed ^= mixed >> 29;
  return 1 + mixed % period;
}

}  // namespace ompprof::collect
