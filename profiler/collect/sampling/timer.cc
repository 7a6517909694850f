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

const char* CreateTimer(ThreadState* thread, clockid_t clock) {
  sigevent event;
  memset(&event, 0, sizeof(event));
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = session.config.signal;
  event.sigev_value.sival_ptr = thread;
  event._sigev_un._tid = thread->identity.tid;
  // This is the kernel's call, not glibc's: glibc's wrappers encode timer ids in their own ways.
  int id = 0;
  const long result = RawSyscall(SYS_timer_create, clock, reinterpret_cast<long>(&event), reinterpret_cast<long>(&id));
  if (result == -EAGAIN) return "timer_create: the limit on pending signals (ulimit -i) is reached";
  if (result < 0) return "timer_create failed";
  thread->sampler.timer = reinterpret_cast<timer_t>(static_cast<intptr_t>(id));
  return nullptr;
}

long TimerId(const ThreadState* thread) { return static_cast<int>(reinterpret_cast<intptr_t>(thread->sampler.timer)); }

void Destroy(ThreadState* thread) { RawSyscall(SYS_timer_delete, TimerId(thread)); }

// False: there is no such timer in this process.
bool Set(ThreadState* thread, uint64_t first_ns, uint64_t period_ns) {
  itimerspec spec;
  spec.it_value = {static_cast<time_t>(first_ns / 1000000000ull), static_cast<long>(first_ns % 1000000000ull)};
  spec.it_interval = {static_cast<time_t>(period_ns / 1000000000ull), static_cast<long>(period_ns % 1000000000ull)};
  return RawSyscall(SYS_timer_settime, TimerId(thread), 0, reinterpret_cast<long>(&spec), 0) == 0;
}

void Disarm(ThreadState* thread) { Set(thread, 0, 0); }

bool Suspend(ThreadState* thread) { return Set(thread, 0, 0); }

bool FromTimer(const ThreadState* thread, const siginfo_t* info) {
  return info->si_code == SI_TIMER && info->si_value.sival_ptr == thread;
}

}  // namespace

uint64_t PeriodOf(const ThreadState& thread) { return session.period << thread.sampler.pace.shift(); }

namespace {

// The period of the timer beside a perf event. If the event counts time, the period is no shorter than the event's.
uint64_t TickOf(const ThreadState& thread) {
  const uint64_t period = thread.sampler.source->weight == WeightKind::kEvents ? 0 : PeriodOf(thread);
  return period > session.tick_ns ? period : session.tick_ns;
}

}  // namespace

const char* CreateTickTimer(ThreadState* thread) { return CreateTimer(thread, ThreadCpuClock(thread->identity.tid)); }
void DestroyTickTimer(ThreadState* thread) { Destroy(thread); }
void SetTickTimer(ThreadState* thread, bool on) {
  const uint64_t tick = TickOf(*thread);
  Set(thread, on ? RandomPhase(tick) : 0, on ? tick : 0);
}
bool SuspendTickTimer(ThreadState* thread) { return Suspend(thread); }
bool ResumeTickTimer(ThreadState* thread) {
  const uint64_t tick = TickOf(*thread);
  return Set(thread, RandomPhase(tick), tick);
}
bool FromTickTimer(const ThreadState* thread, const siginfo_t* info) { return FromTimer(thread, info); }

namespace {

// A CPU timer is exact: the kernel counts the periods that passed while it could not signal (si_overrun).
const char* CreateCpu(ThreadState* thread) { return CreateTimer(thread, ThreadCpuClock(thread->identity.tid)); }
void ArmCpu(ThreadState* thread) { Set(thread, RandomPhase(PeriodOf(*thread)), PeriodOf(*thread)); }
uint64_t WeighCpu(ThreadState* thread, const siginfo_t* info, uint32_t* count) {
  if (!FromTimer(thread, info)) return 0;
  *count = 1;
  return (1 + static_cast<uint64_t>(info->si_overrun)) * PeriodOf(*thread);
}
void RepaceCpu(ThreadState* thread) { Set(thread, PeriodOf(*thread), PeriodOf(*thread)); }

// Monotonic timers. The thread's CPU (or wall) clock gives the weight of a signal.
const char* CreateMonotonic(ThreadState* thread) { return CreateTimer(thread, CLOCK_MONOTONIC); }
void ArmMonotonicCpu(ThreadState* thread) {
  thread->sampler.last_clock = ClockNs(ThreadCpuClock(thread->identity.tid));
  Set(thread, RandomPhase(session.period), PeriodOf(*thread));
}
uint64_t WeighMonotonicCpu(ThreadState* thread, const siginfo_t* info, uint32_t* count) {
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
bool ResumeMonotonicCpu(ThreadState* thread) {
  if (!Set(thread, RandomPhase(PeriodOf(*thread)), PeriodOf(*thread))) return false;
  EndMaskedTime(thread);
  return true;
}

// A CPU timer whose period contains stretches that do not count. The CPU clock gives the weight of its signals. The
// kernel looks at these timers at its tick, so a shorter period has no effect.
void ArmClockedCpu(ThreadState* thread) {
  thread->sampler.last_clock = ClockNs(ThreadCpuClock(thread->identity.tid));
  thread->sampler.credited = 0;
  Set(thread, RandomPhase(TickOf(*thread)), TickOf(*thread));
}
// If a period ended without a signal, the next tick brings the signal. The moment of unblocking must not bring the
// signal, because most samples would then be taken there.
bool ResumeClockedCpu(ThreadState* thread) {
  constexpr uint64_t kSoon = 1000;
  const uint64_t period = TickOf(*thread);
  const uint64_t since = thread->sampler.mask.begin_clock - thread->sampler.last_clock;
  if (!Set(thread, since + kSoon < period ? period - since : kSoon, period)) return false;
  EndMaskedTime(thread);
  return true;
}
void RepaceClockedCpu(ThreadState* thread) { Set(thread, TickOf(*thread), TickOf(*thread)); }

// From its first masked stretch on, the thread uses the clocked timer. On average, half of the present period has
// passed.
bool SuspendCpu(ThreadState* thread) {
  if (!SuspendClocked(thread)) return false;
  thread->sampler.last_clock = thread->sampler.mask.begin_clock - PeriodOf(*thread) / 2;
  thread->sampler.source = &kClockedCpuTimer;
  return true;
}
// The thread began with the signal blocked.
bool ResumeCpu(ThreadState* thread) {
  thread->sampler.source = &kClockedCpuTimer;
  return ResumeClockedCpu(thread);
}

bool ResumeWall(ThreadState* thread) { return Set(thread, RandomPhase(PeriodOf(*thread)), PeriodOf(*thread)); }
void ArmWall(ThreadState* thread) {
  thread->sampler.last_clock = MonotonicNs();
  Set(thread, RandomPhase(session.period), PeriodOf(*thread));
}
uint64_t WeighWall(ThreadState* thread, const siginfo_t* info, uint32_t* count) {
  if (!FromTimer(thread, info)) return 0;
  const uint64_t now = MonotonicNs();
  const uint64_t passed = now - thread->sampler.last_clock;
  thread->sampler.last_clock = now;
  *count = 1;
  return passed;
}

}  // namespace

constexpr Source kCpuTimer = [] {
  Source source{};
  source.name = "cpu-timer";
  source.weight_unit = "nanoseconds";
  source.weight = WeightKind::kCpuTime;
  source.any_thread = true;
  source.create = CreateCpu;
  source.destroy = Destroy;
  source.arm = ArmCpu;
  source.disarm = Disarm;
  source.weigh = WeighCpu;
  source.suspend = SuspendCpu;
  source.resume = ResumeCpu;
  source.repace = RepaceCpu;
  return source;
}();

constexpr Source kClockedCpuTimer = [] {
  Source source{};
  source.name = "cpu-timer";
  source.weight_unit = "nanoseconds";
  source.weight = WeightKind::kCpuTime;
  source.any_thread = true;
  source.weighs_by_cpu_clock = true;
  source.create = CreateCpu;
  source.destroy = Destroy;
  source.arm = ArmClockedCpu;
  source.disarm = Disarm;
  source.weigh = WeighMonotonicCpu;
  source.suspend = SuspendClocked;
  source.resume = ResumeClockedCpu;
  source.repace = RepaceClockedCpu;
  return source;
}();

constexpr Source kMonotonicCpuTimer = [] {
  Source source{};
  source.name = "monotonic-timer";
  source.weight_unit = "nanoseconds";
  source.weight = WeightKind::kCpuTime;
  source.fires_asleep = true;
  source.any_thread = true;
  source.weighs_by_cpu_clock = true;
  source.create = CreateMonotonic;
  source.destroy = Destroy;
  source.arm = ArmMonotonicCpu;
  source.disarm = Disarm;
  source.weigh = WeighMonotonicCpu;
  source.suspend = SuspendClocked;
  source.resume = ResumeMonotonicCpu;
  source.repace = RepaceCpu;
  return source;
}();

// For the wall clock, time with the signal blocked is ordinary time: the next sample has it.
constexpr Source kWallTimer = [] {
  Source source{};
  source.name = "wall-timer";
  source.weight_unit = "nanoseconds";
  source.weight = WeightKind::kWallTime;
  source.fires_asleep = true;
  source.any_thread = true;
  source.create = CreateMonotonic;
  source.destroy = Destroy;
  source.arm = ArmWall;
  source.disarm = Disarm;
  source.weigh = WeighWall;
  source.suspend = Suspend;
  source.resume = ResumeWall;
  source.repace = RepaceCpu;
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
