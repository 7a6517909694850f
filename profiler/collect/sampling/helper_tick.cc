// The source of threads for which the limit on pending signals (RLIMIT_SIGPENDING) leaves no timer: a POSIX timer takes
// a place for as long as it exists. The helper thread looks at the CPU clocks of these threads, at random times some
// milliseconds apart, and signals the threads that have computed. A signal that finds no place comes all the same, but
// without its information, if it is no real-time signal (__send_signal_locked in Linux's kernel/signal.c).
//
// No tick meets a system call that a signal ends: the thread blocks the signal in such calls (sleeping_call.h).
#include <signal.h>
#include <sys/syscall.h>

#include "profiler/collect/base/notes.h"
#include "profiler/collect/base/os.h"
#include "profiler/collect/sampling/arming.h"
#include "profiler/collect/sampling/masked_time.h"
#include "profiler/collect/sampling/source.h"
#include "profiler/collect/thread/session.h"
#include "profiler/collect/thread/thread_state.h"
#include "profiler/collect/write/writer_wake.h"

namespace ompprof::collect {
namespace {

// Any such thread. The helper sleeps as long as others have timers.
std::atomic<bool> any{false};
uint64_t next_ns;                  // for the helper
std::atomic<bool> ticking{false};  // the helper may be about to signal a thread

constexpr int kMostMoments = 1000;  // some 100 ms

uint64_t Interval() { return session.period > session.tick_ns ? session.period : session.tick_ns; }

const char* Create(ThreadState* thread) {
  thread->sampler.asked.store(false, std::memory_order_relaxed);
  if (any.exchange(true)) return nullptr;
  AddNote(
      "a limit on pending signals (ulimit -i) leaves no timer for each thread. Threads without a timer are sampled by "
      "ompprof's helper thread, at most %u times a second",
      static_cast<uint32_t>(1000000000 / Interval()));
  writer_wake.AskAgain();
  return nullptr;
}

void Arm(ThreadState* thread) {
  thread->sampler.last_clock = ClockNs(ThreadCpuClock(thread->identity.tid));
  thread->sampler.event.wanted.store(true, std::memory_order_seq_cst);
}

void Disarm(ThreadState* thread) { thread->sampler.event.wanted.store(false, std::memory_order_seq_cst); }

void Moment() {
  const timespec moment{0, 20000};
  RawSyscall(SYS_nanosleep, reinterpret_cast<long>(&moment));
}

// Afterwards, no further signal is sent.
void Destroy(ThreadState* thread) {
  Disarm(thread);
  for (int i = 0; i < kMostMoments && ticking.load(std::memory_order_seq_cst); ++i) Moment();
}

uint64_t Weigh(ThreadState* thread, const siginfo_t* info, const ucontext_t*, uint32_t* count) {
  if (info->si_code == SI_TIMER || !thread->sampler.event.wanted.load(std::memory_order_relaxed)) return 0;
  const uint64_t now = ThreadCpuNs();
  if (now <= thread->sampler.last_clock) return 0;  // masked time is known only to some microseconds
  const uint64_t passed = now - thread->sampler.last_clock;
  thread->sampler.last_clock = now;
  *count = 1;
  return passed;
}

bool IsThisProcess() { return RawSyscall(SYS_getpid) == session.pid; }

bool Suspend(ThreadState* thread) {
  if (!IsThisProcess()) return false;
  Disarm(thread);
  BeginMaskedTime(thread);
  return true;
}

bool Resume(ThreadState* thread) {
  if (!IsThisProcess()) return false;
  EndMaskedTime(thread);
  thread->sampler.event.wanted.store(true, std::memory_order_seq_cst);
  return true;
}

void Repace(ThreadState*) {}

// Signals the thread if it has computed since its last sample.
void Tick(ThreadState* thread) {
  constexpr uint64_t kLost = 16;  // of a thread that has computed for so many intervals since, the signal was dropped
  const uint64_t cpu_ns = ClockNs(ThreadCpuClock(thread->identity.tid));
  // A signal before this one must have been taken: the handler could not tell two apart. Real-time signals would queue.
  if (thread->sampler.asked.load(std::memory_order_seq_cst) &&
      (SamplingSignal() >= 32 || cpu_ns < thread->sampler.asked_cpu_ns + kLost * Interval()))
    return;
  if (thread->sampler.instants.calls != 0 || cpu_ns < thread->sampler.last_clock + Interval() / 2) return;
  thread->sampler.asked_cpu_ns = cpu_ns;
  thread->sampler.asked.store(true, std::memory_order_seq_cst);
  if (!thread->sampler.event.wanted.load(std::memory_order_seq_cst) ||
      RawSyscall(SYS_tgkill, session.pid, thread->identity.tid, SamplingSignal()) != 0)
    thread->sampler.asked.store(false, std::memory_order_relaxed);
}

}  // namespace

constexpr Source kHelperTick = [] {
  Source source{};
  source.name = "helper-tick";
  source.weight_unit = "nanoseconds";
  source.weight = WeightKind::kCpuTime;
  source.any_thread = true;
  source.weighs_by_cpu_clock = true;
  source.create = Create;
  source.destroy = Destroy;
  source.arm = Arm;
  source.disarm = Disarm;
  source.weigh = Weigh;
  source.suspend = Suspend;
  source.resume = Resume;
  source.repace = Repace;
  return source;
}();

uint64_t TickThreads() {
  if (!any.load(std::memory_order_relaxed)) return 0;
  const uint64_t now = MonotonicNs();
  if (now < next_ns) return next_ns - now;
  ticking.store(true, std::memory_order_seq_cst);
  for (ThreadState* thread = FirstThread(); thread != nullptr; thread = thread->next) {
    if (thread->sampler.source == &kHelperTick && thread->sampler.event.wanted.load(std::memory_order_relaxed) &&
        thread->lifecycle.load(std::memory_order_acquire) == ThreadState::kLive)
      Tick(thread);
  }
  ticking.store(false, std::memory_order_seq_cst);
  const uint64_t interval = 1 + RandomPhase(2 * Interval());
  next_ns = now + interval;
  return interval;
}

bool IsTick(const siginfo_t& info) {
  const bool without_information = info.si_code == SI_USER && info.si_pid == 0;
  ThreadState* thread = this_thread;
  return (without_information || info.si_code == SI_TKILL) && thread != nullptr &&
         thread->sampler.asked.exchange(false, std::memory_order_seq_cst);
}

void AwaitTick(const ThreadState& thread) {
  for (int i = 0; i < kMostMoments && thread.sampler.asked.load(std::memory_order_seq_cst); ++i) Moment();
}

void ForgetTicks() {
  any.store(false, std::memory_order_relaxed);
  ticking.store(false, std::memory_order_relaxed);
  next_ns = 0;
}

}  // namespace ompprof::collect
