// The libc functions that change a thread's signal mask, and the functions that wait with another mask. A thread that
// blocks the sampling signal receives no signal (signal_mask.h). If a thread waits with a mask of its own, the sampling
// signal is added to this mask, because samples do not end waits. A call that leaves the sampling signal as it was
// costs a branch. A call that changes it costs an additional system call.
// This file defines the plain names, not the checked versions that would replace them.
#undef _FORTIFY_SOURCE
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <ucontext.h>

#include "profiler/collect/base/exported.h"
#include "profiler/collect/base/real_functions.h"
#include "profiler/collect/sampling/signal_mask.h"
#include "profiler/collect/sampling/sleeping_call.h"
#include "profiler/collect/thread/session.h"

namespace ompprof::collect {
namespace {

template <typename Call>
int ChangeMask(int how, const sigset_t* set, Call call) {
  if (set == nullptr) return call();
  const bool holds = HoldsSamplingSignal(*set);
  if (how == SIG_SETMASK) return AroundMaskChange(holds, call);
  if (!holds || (how != SIG_BLOCK && how != SIG_UNBLOCK)) return call();
  return AroundMaskChange(how == SIG_BLOCK, call);
}

// BSD's functions hold the first 32 signals in an int.
bool MaskHoldsSamplingSignal(int mask) {
  return session.config.signal > 0 && session.config.signal <= 32 &&
         (static_cast<unsigned>(mask) >> (session.config.signal - 1) & 1) != 0;
}

int SuspendWith(const sigset_t* set) {
  if (set == nullptr) return real.sigsuspend(set);
  const MaskedWait wait(real.sigsuspend, set);
  return real.sigsuspend(wait.mask());
}

// Follows a mask that the thread has now, or will have at once.
__attribute__((noinline)) void GoBy(const sigset_t& mask) {
  AroundMaskChange(HoldsSamplingSignal(mask), [] { return 0; });
}

void BeforeJump(const __jmp_buf_tag* environment) {
  ThreadState* const thread = this_thread;
  if (thread != nullptr) LeaveSleepingCalls(thread);
  if (environment->__mask_was_saved == 0) return;
  GoBy(environment->__saved_mask);
}

}  // namespace
}  // namespace ompprof::collect

using namespace ompprof::collect;

OMPPROF_EXPORT int pthread_sigmask(int how, const sigset_t* set, sigset_t* old) {
  if (real.pthread_sigmask == nullptr) FindRealFunctions();
  const auto call = real.pthread_sigmask;
  return ChangeMask(how, set, [=] { return call(how, set, old); });
}

OMPPROF_EXPORT int sigprocmask(int how, const sigset_t* set, sigset_t* old) {
  if (real.sigprocmask == nullptr) FindRealFunctions();
  const auto call = real.sigprocmask;
  return ChangeMask(how, set, [=] { return call(how, set, old); });
}

OMPPROF_EXPORT int sigblock(int mask) {
  if (real.sigblock == nullptr) FindRealFunctions();
  int before = 0;
  const auto call = [&] { return before = real.sigblock(mask), 0; };
  MaskHoldsSamplingSignal(mask) ? AroundMaskChange(true, call) : call();
  return before;
}

OMPPROF_EXPORT int sigsetmask(int mask) {
  if (real.sigsetmask == nullptr) FindRealFunctions();
  int before = 0;
  AroundMaskChange(MaskHoldsSamplingSignal(mask), [&] { return before = real.sigsetmask(mask), 0; });
  return before;
}

OMPPROF_EXPORT int sighold(int number) {
  if (real.sighold == nullptr) FindRealFunctions();
  const auto call = [=] { return real.sighold(number); };
  return number == session.config.signal ? AroundMaskChange(true, call) : call();
}

OMPPROF_EXPORT int sigrelse(int number) {
  if (real.sigrelse == nullptr) FindRealFunctions();
  const auto call = [=] { return real.sigrelse(number); };
  return number == session.config.signal ? AroundMaskChange(false, call) : call();
}

OMPPROF_EXPORT int sigsuspend(const sigset_t* set) {
  if (real.sigsuspend == nullptr) FindRealFunctions();
  return SuspendWith(set);
}

// BSD's sigpause takes a mask. In headers, the name means X/Open's function.
OMPPROF_EXPORT int BsdSigpause(int mask) __asm__("sigpause");
int BsdSigpause(int mask) {
  if (real.sigsuspend == nullptr) FindRealFunctions();
  sigset_t set;
  sigemptyset(&set);
  set.__val[0] = static_cast<unsigned>(mask);
  return SuspendWith(&set);
}

// X/Open's sigpause takes a signal to let through. A program that lets ours through wants this signal.
OMPPROF_EXPORT int XopenSigpause(int number) __asm__("__xpg_sigpause");
int XopenSigpause(int number) {
  if (real.sigsuspend == nullptr) FindRealFunctions();
  sigset_t set;
  if (real.pthread_sigmask(SIG_BLOCK, nullptr, &set) != 0 || sigdelset(&set, number) != 0) return -1;
  return number == session.config.signal ? real.sigsuspend(&set) : SuspendWith(&set);
}

OMPPROF_EXPORT int ppoll(pollfd* fds, nfds_t count, const timespec* timeout, const sigset_t* set) {
  if (real.ppoll == nullptr) FindRealFunctions();
  const MaskedWait wait(real.ppoll, set);
  return real.ppoll(fds, count, timeout, wait.mask());
}

OMPPROF_EXPORT int __ppoll_chk(pollfd* fds, nfds_t count, const timespec* timeout, const sigset_t* set, size_t size) {
  if (real.__ppoll_chk == nullptr) FindRealFunctions();
  const MaskedWait wait(real.__ppoll_chk, set);
  return real.__ppoll_chk(fds, count, timeout, wait.mask(), size);
}

OMPPROF_EXPORT int pselect(int count, fd_set* in, fd_set* out, fd_set* except, const timespec* timeout,
                           const sigset_t* set) {
  if (real.pselect == nullptr) FindRealFunctions();
  const MaskedWait wait(real.pselect, set);
  return real.pselect(count, in, out, except, timeout, wait.mask());
}

OMPPROF_EXPORT int epoll_pwait(int epoll, epoll_event* events, int most, int timeout, const sigset_t* set) {
  if (real.epoll_pwait == nullptr) FindRealFunctions();
  const MaskedWait wait(real.epoll_pwait, set);
  return real.epoll_pwait(epoll, events, most, timeout, wait.mask());
}

OMPPROF_EXPORT int epoll_pwait2(int epoll, epoll_event* events, int most, const timespec* timeout,
                                const sigset_t* set) {
  if (real.epoll_pwait2 == nullptr) FindRealFunctions();
  const MaskedWait wait(real.epoll_pwait2, set);
  return real.epoll_pwait2(epoll, events, most, timeout, wait.mask());
}

// Contexts have masks. After the call, the code runs in another context, maybe on another thread. The mask then follows
// from the call itself.
OMPPROF_EXPORT int setcontext(const ucontext_t* context) {
  if (real.setcontext == nullptr) FindRealFunctions();
  return AroundMaskChange(HoldsSamplingSignal(context->uc_sigmask), [=] { return real.setcontext(context); });
}

OMPPROF_EXPORT int swapcontext(ucontext_t* from, const ucontext_t* to) {
  if (real.swapcontext == nullptr) FindRealFunctions();
  GoBy(to->uc_sigmask);
  const int result = real.swapcontext(from, to);
  // The code is back, perhaps on another thread. The end of a context's function (uc_link) also leads here, without any
  // call.
  GoBy(from->uc_sigmask);
  return result;
}

#define OMPPROF_COLLECT_JUMP(name)                                    \
  OMPPROF_EXPORT void name(__jmp_buf_tag environment[1], int value) { \
    if (real.name == nullptr) FindRealFunctions();                    \
    BeforeJump(environment);                                          \
    real.name(environment, value);                                    \
    __builtin_unreachable();                                          \
  }
OMPPROF_COLLECT_JUMP(longjmp)
OMPPROF_COLLECT_JUMP(_longjmp)
OMPPROF_COLLECT_JUMP(siglongjmp)
OMPPROF_COLLECT_JUMP(__longjmp_chk)
