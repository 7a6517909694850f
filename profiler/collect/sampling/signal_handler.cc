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

const struct sigaction& ProgramsAction() { return programs_action; }

}  // namespace ompprof::collect
