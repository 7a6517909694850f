#include "profiler/collect/sampling/signal_handler.h"

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>

#include "profiler/collect/arch/registers.h"
#include "profiler/collect/base/notes.h"
#include "profiler/collect/base/os.h"
#include "profiler/collect/base/real_functions.h"
#include "profiler/collect/paths/walk_guard.h"
#include "profiler/collect/sampling/signal_cost.h"
#include "profiler/collect/sampling/signal_stack.h"
#include "profiler/collect/sampling/sleeping_call.h"
#include "profiler/collect/sampling/source.h"
#include "profiler/collect/sampling/take_sample.h"
#include "profiler/collect/thread/session.h"
#include "profiler/collect/thread/thread_state.h"
#include "profiler/collect/write/writer_wake.h"

namespace ompprof::collect {
namespace {

struct sigaction programs_action;

constexpr int kCancelSignal = 32;  // SIGCANCEL of glibc (nptl/internal-signals)

// The signal came from elsewhere (kill, an interval timer), and has the same effect as without the profiler.
__attribute__((noinline)) void PassOn(int number, siginfo_t* info, void* context) {
  if (programs_action.sa_handler == SIG_IGN) return;
  if (programs_action.sa_handler == SIG_DFL) {
    struct sigaction action;
    memset(&action, 0, sizeof(action));
    action.sa_handler = SIG_DFL;
    real.sigaction(number, &action, nullptr);
    // The signal is still blocked here, so it takes effect when the handler returns.
    RawSyscall(SYS_tgkill, RawSyscall(SYS_getpid), Tid(), number);
    return;
  }
  if ((programs_action.sa_flags & SA_SIGINFO) != 0) {
    programs_action.sa_sigaction(number, info, context);
  } else {
    programs_action.sa_handler(number);
  }
}

constexpr uint64_t kLikelyPreemptedNs = 100000;

// A handler that began at `begin` ends. If it was slow, the next signals come later.
void KeepPace(ThreadState* thread, uint64_t begin) {
  const uint32_t before = thread->sampler.pace.shift();
  const uint64_t period_ns = session.config.event[0] == '\0' ? session.period : 0;
  uint64_t end = NowFor(thread);
  if (thread->sampler.source == &kOnCpuTimer) {
    // By the thread's CPU clock: others may have its processor for most of the time between samples. It often loses its
    // processor right here, because the reading of the clock makes the kernel look at its slice.
    const uint64_t begin_cpu_ns = thread->sampler.instants.seen_cpu_ns;
    end = end - begin > kLikelyPreemptedNs ? ThreadCpuNs() : begin_cpu_ns + (end - begin);
    begin = begin_cpu_ns;
  }
  signal_cost.Add(end - begin);
  if (__builtin_expect(!thread->sampler.pace.Took(begin, end, period_ns), 1)) return;
  const uint32_t shift = thread->sampler.pace.shift();
  if (before == 0) session.paced_threads.fetch_add(1, std::memory_order_relaxed);
  if (shift > session.most_pace.load(std::memory_order_relaxed))
    session.most_pace.store(shift, std::memory_order_relaxed);
  if (!session.collecting.load(std::memory_order_relaxed) || thread->sampler.mask.blocks()) return;
  thread->sampler.source->repace(thread);
  // If sampling has ended meanwhile, its end has found only the old source off.
  if (!session.collecting.load(std::memory_order_seq_cst)) thread->sampler.source->disarm(thread);
}

bool MayBeOurs(const siginfo_t* info) {
  return info->si_code == SI_TIMER || info->si_code == POLL_IN || info->si_code == POLL_HUP || IsTick(*info);
}

// Whether the code with the address `at` in its frame has been left: the stack ends above its frame. A jump within a
// handler on another stack leaves it where it is.
bool IsLeft(const ThreadState& thread, uintptr_t at, const ucontext_t& interrupted) {
  const uintptr_t low = thread.identity.stack.low;
  const uintptr_t size = thread.identity.stack.high - low;
  const uintptr_t sp = arch::ContextRegister(interrupted, arch::kStackPointer);
  const stack_t& alternate = interrupted.uc_stack;
  return at - low < size && sp - low < size && sp > at + arch::kRedZone &&
         sp - reinterpret_cast<uintptr_t>(alternate.ss_sp) >= alternate.ss_size;
}

// Ends what a callback or a wrapper of ours was at (`busy`), if a handler of the program has jumped out of it.
void EndIfLeft(ThreadState* thread, const ucontext_t& interrupted) {
  if (thread->blame.busy != 0 && IsLeft(*thread, thread->blame.busy_at, interrupted)) thread->blame.busy = 0;
  if (thread->sampler.busy == 0 || !IsLeft(*thread, thread->sampler.busy_at, interrupted)) return;
  if (thread->sampler.busy == Sampler::kWalking) walk_guard.LeaveWalk();
  thread->sampler.busy = 0;
}

// A sample or a sleep of the thread, unless a walk is not possible now. Then the weight waits for the next sample.
void Take(ThreadState* thread, const ucontext_t* interrupted, uint64_t weight, uint32_t count, uint64_t slept_ns) {
  if ((weight == 0 && slept_ns == 0) || !session.collecting.load(std::memory_order_relaxed)) return;
  if (__builtin_expect((thread->sampler.busy | thread->blame.busy) != 0, 0)) EndIfLeft(thread, *interrupted);
  if (thread->sampler.busy != 0 || !walk_guard.EnterWalk()) {
    thread->sampler.carried_weight += weight;
    thread->sampler.carried_count += weight != 0 ? count : 0;
    return;
  }
  thread->sampler.busy = 1;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  if (weight != 0) {
    const uint64_t total = weight + thread->sampler.carried_weight;
    const uint32_t signals = count + thread->sampler.carried_count;
    thread->sampler.carried_weight = 0;
    thread->sampler.carried_count = 0;
    if (__builtin_expect(thread->sampler.in_unsampled_handler, 0)) {
      TakeUnsampledHandler(thread, total, signals);
    } else {
      TakeSample(thread, interrupted, total, signals);
    }
  } else {
    TakeSleep(thread, interrupted, slept_ns);
  }
  std::atomic_signal_fence(std::memory_order_seq_cst);
  thread->sampler.busy = 0;
  walk_guard.LeaveWalk();
}

void HandleOn(ThreadState* thread, const siginfo_t* info, const ucontext_t* interrupted) {
  thread->sampler.in_handler = 1;
  thread->sampler.signals = thread->sampler.signals + 1;
  const uint64_t begin = NowFor(thread);
  uint32_t count = 0;
  thread->sampler.slept_ns = 0;
  thread->sampler.in_unsampled_handler = false;
  const uint64_t weight = thread->sampler.source->weigh(thread, info, interrupted, &count);
  Take(thread, interrupted, weight, count, thread->sampler.slept_ns);
  EndSleepSignal(thread);
  // The handler of a signal without a sample costs little, and has no reading of the thread's CPU clock.
  if (weight != 0) {
    KeepPace(thread, begin);
  } else {
    signal_cost.Add(0);
  }
  thread->sampler.in_handler = 0;
}

// Without a helper, the program's threads make the rounds: on their own stacks, where there is room.
__attribute__((noinline)) void RoundOn(const ThreadState& thread, void (*round)()) {
  constexpr uintptr_t kStackBytes = 64 << 10;
  const auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  const StackBounds& stack = thread.identity.stack;
  if (here >= stack.low && here < stack.high && here - stack.low >= kStackBytes) round();
}

void Handle(int number, siginfo_t* info, void* context) {
  const int saved_errno = errno;
  if (signal_cost.TakeProbe(info)) return;
  if (!MayBeOurs(info)) {
    PassOn(number, info, context);
    errno = saved_errno;
    return;
  }
  ThreadState* thread = this_thread;
  if (thread == nullptr && info->si_code == SI_TIMER && session.active.load(std::memory_order_relaxed)) {
    // The thread was there before the collector: its timer's signal carries the state.
    auto* sent = static_cast<ThreadState*>(info->si_value.sival_ptr);
    if (sent != nullptr && sent->identity.tid == Tid()) thread = this_thread = sent;
  }
  if (thread == nullptr) {
    session.unattached_samples.fetch_add(1, std::memory_order_relaxed);
  } else if (info->si_code != SI_TIMER || info->si_value.sival_ptr == thread) {
    HandleOn(thread, info, static_cast<const ucontext_t*>(context));
    const auto round = writer_wake.round_here.load(std::memory_order_acquire);
    if (__builtin_expect(round != nullptr, 0)) RoundOn(*thread, round);
  }  // else a thread by a bare clone that shares its maker's descriptor. No sample of the maker is taken in it.
  errno = saved_errno;
}

// Other code that has a handler for the signal may remove it without libc's functions. gprof (gcc -pg) does so at the
// program's end, and a last sample would then end the program. So another signal is chosen, unless the user wants this
// signal.
void AvoidTakenSignal() {
  if (session.config.signal_chosen) return;
  struct sigaction now;
  const int wanted = session.config.signal;
  const int others = SIGRTMIN + 8;  // more programs use the lower numbers
  for (int number = wanted; number <= SIGRTMAX; number = number == wanted ? others : number + 1) {
    if (real.sigaction(number, nullptr, &now) != 0 || (now.sa_handler != SIG_DFL && now.sa_handler != SIG_IGN))
      continue;
    session.config.signal = number;
    break;
  }
  if (session.config.signal == wanted) return;
  AddNote("samples use signal %d, because the program has a handler for signal %d", session.config.signal, wanted);
}

}  // namespace

namespace {

bool Install() {
  struct sigaction action;
  memset(&action, 0, sizeof(action));
  action.sa_sigaction = Handle;
  action.sa_flags = SA_SIGINFO | SA_RESTART | SignalStackFlag(/*late=*/!session.preloaded);
  sigfillset(&action.sa_mask);
  // libc's own signal for pthread_cancel is added, which sigfillset leaves out. Otherwise, a thread that may be
  // cancelled at any moment, for example within read(), would be unwound out of the handler.
  reinterpret_cast<unsigned char*>(&action.sa_mask)[(kCancelSignal - 1) / 8] |= 1 << (kCancelSignal - 1) % 8;
  if (real.sigaction(session.config.signal, &action, &programs_action) != 0) return false;
  FollowSignalStacks(Handle, action.sa_flags);
  return true;
}

}  // namespace

bool InstallSignalHandler() {
  AvoidTakenSignal();
  return Install();
}

bool InstallHandlerOfAnotherSignal() {
  // A program that handles every signal may leave these to libc: Go leaves the first, because musl's libc uses it.
  const int numbers[] = {SIGRTMIN, SIGRTMIN + 8, SIGRTMIN + 3};
  for (const int number : numbers) {
    struct sigaction now;
    if (number == session.config.signal || real.sigaction(number, nullptr, &now) != 0 || now.sa_handler != SIG_DFL)
      continue;
    session.config.signal = number;
    return Install();
  }
  return false;
}

bool HandlerIsOurs() {
  struct sigaction now;
  return real.sigaction(session.config.signal, nullptr, &now) != 0 || now.sa_sigaction == Handle;
}

namespace {

// Takes the pending signals of the calling thread or the process. `other` receives the last signal that is not ours;
// `any`: there was such a signal.
void TakePendingSignals(siginfo_t* other, bool* any) {
  const uint64_t set = 1ull << (session.config.signal - 1);
  const timespec none{0, 0};
  siginfo_t info;
  while (RawSyscall(SYS_rt_sigtimedwait, reinterpret_cast<long>(&set), reinterpret_cast<long>(&info),
                    reinterpret_cast<long>(&none), sizeof(set)) > 0) {
    if (MayBeOurs(&info)) continue;
    *other = info;
    *any = true;
  }
}

void Repeat(const siginfo_t* other) {
  // The kernel lets only the first thread repeat another process's claims about the sender.
  if (RawSyscall(SYS_rt_sigqueueinfo, session.pid, session.config.signal, reinterpret_cast<long>(other)) != 0)
    RawSyscall(SYS_kill, session.pid, session.config.signal);
}

}  // namespace

void DropPendingSignals() {
  siginfo_t other;
  bool any = false;
  TakePendingSignals(&other, &any);
  struct sigaction ignore;
  struct sigaction now;
  memset(&ignore, 0, sizeof(ignore));
  ignore.sa_handler = SIG_IGN;
  // A signal that is ignored from now on is dropped for all threads (POSIX, sigaction). Linux 6.13 shows timers'
  // signals again when the signal is no longer ignored. They count as pending until somebody takes them, and then there
  // is nothing to take.
  if (real.sigaction(session.config.signal, &ignore, &now) == 0) real.sigaction(session.config.signal, &now, nullptr);
  TakePendingSignals(&other, &any);
  if (any) Repeat(&other);
}

void GiveSignalBack(void (*await_handlers)()) {
  if (!HandlerIsOurs()) return;
  siginfo_t other;
  bool any = false;
  TakePendingSignals(&other, &any);
  struct sigaction ignore;
  memset(&ignore, 0, sizeof(ignore));
  ignore.sa_handler = SIG_IGN;
  real.sigaction(session.config.signal, &ignore, nullptr);
  await_handlers();
  real.sigaction(session.config.signal, &programs_action, nullptr);
  if (any) Repeat(&other);
}

const struct sigaction& ProgramsAction() { return programs_action; }

}  // namespace ompprof::collect
