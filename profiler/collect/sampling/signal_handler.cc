#include "profiler/collect/sampling/signal_handler.h"

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>

#include "profiler/collect/os.h"
#include "profiler/collect/real_functions.h"
#include "profiler/collect/sampling/source.h"
#include "profiler/collect/sampling/take_sample.h"
#include "profiler/collect/sampling/walk_guard.h"
#include "profiler/collect/session.h"

namespace ompprof::collect {
namespace {

struct sigaction programs_action;

// The signal came from elsewhere (kill, an interval timer): what would have happened without us happens.
// A function of its own for the sake of the stack that it takes.
__attribute__((noinline)) void PassOn(int number, siginfo_t* info, void* context) {
  if (programs_action.sa_handler == SIG_IGN) return;
  if (programs_action.sa_handler == SIG_DFL) {
    struct sigaction action;
    memset(&action, 0, sizeof(action));
    action.sa_handler = SIG_DFL;
    real.sigaction(number, &action, nullptr);
    // Still blocked here: it takes effect as the handler returns.
    RawSyscall(SYS_tgkill, RawSyscall(SYS_getpid), Tid(), number);
    return;
  }
  if ((programs_action.sa_flags & SA_SIGINFO) != 0) {
    programs_action.sa_sigaction(number, info, context);
  } else {
    programs_action.sa_handler(number);
  }
}

bool MayBeOurs(const siginfo_t* info) {
  return info->si_code == SI_TIMER || info->si_code == POLL_IN || info->si_code == POLL_HUP;
}

void Handle(int number, siginfo_t* info, void* context) {
  const int saved_errno = errno;
  if (!MayBeOurs(info)) {
    PassOn(number, info, context);
    errno = saved_errno;
    return;
  }
  ThreadState* thread = this_thread;
  if (thread == nullptr && info->si_code == SI_TIMER && session.active.load(std::memory_order_relaxed)) {
    // A thread that was there before us: its timer brings the state along.
    auto* sent = static_cast<ThreadState*>(info->si_value.sival_ptr);
    if (sent != nullptr && sent->tid == Tid()) thread = this_thread = sent;
  }
  if (thread == nullptr) {
    session.unattached_samples.fetch_add(1, std::memory_order_relaxed);
  } else {
    thread->in_handler = 1;
    uint32_t count = 0;
    const uint64_t weight = session.source->weigh(thread, info, &count);
    if (weight != 0 && session.collecting.load(std::memory_order_relaxed)) {
      if (thread->busy != 0 || !walk_guard.EnterWalk()) {
        thread->carried_weight += weight;
        thread->carried_count += count;
      } else {
        thread->busy = 1;
        std::atomic_signal_fence(std::memory_order_seq_cst);
        const uint64_t total = weight + thread->carried_weight;
        const uint32_t signals = count + thread->carried_count;
        thread->carried_weight = 0;
        thread->carried_count = 0;
        TakeSample(thread, static_cast<const ucontext_t*>(context), total, signals);
        std::atomic_signal_fence(std::memory_order_seq_cst);
        thread->busy = 0;
        walk_guard.LeaveWalk();
      }
    }
    thread->in_handler = 0;
  }
  errno = saved_errno;
}

}  // namespace

bool InstallSignalHandler() {
  struct sigaction action;
  memset(&action, 0, sizeof(action));
  action.sa_sigaction = Handle;
  action.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
  sigfillset(&action.sa_mask);
  return real.sigaction(session.config.signal, &action, &programs_action) == 0;
}

bool HandlerIsOurs() {
  struct sigaction now;
  return real.sigaction(session.config.signal, nullptr, &now) != 0 || now.sa_sigaction == Handle;
}

namespace {

// Takes what is pending for the calling thread or the process. `other`: one that is not ours, if there was any.
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

}  // namespace

void DropPendingSignals() {
  siginfo_t other;
  bool any = false;
  TakePendingSignals(&other, &any);
  struct sigaction ignore;
  struct sigaction now;
  memset(&ignore, 0, sizeof(ignore));
  ignore.sa_handler = SIG_IGN;
  // A signal that is ignored from now on is dropped for all threads (POSIX, sigaction). Linux 6.13 brings those of
  // timers back when it no longer is, for show: they count as pending until somebody takes them, who then finds
  // nothing.
  if (real.sigaction(session.config.signal, &ignore, &now) == 0) real.sigaction(session.config.signal, &now, nullptr);
  TakePendingSignals(&other, &any);
  // What it says of its sender only the first thread may repeat, for another's signal.
  if (any && RawSyscall(SYS_rt_sigqueueinfo, session.pid, session.config.signal, reinterpret_cast<long>(&other)) != 0)
    RawSyscall(SYS_kill, session.pid, session.config.signal);
}

const struct sigaction& ProgramsAction() { return programs_action; }

}  // namespace ompprof::collect
