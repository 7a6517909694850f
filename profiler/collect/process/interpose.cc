// The libc functions that the collector stands in front of: where threads begin, where the process ends, where the
// sampling signal could be taken away. Each wrapper does its part and calls the real function. Without a session, it
// only calls the real function.
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <threads.h>
#include <unistd.h>

#include "profiler/collect/arch/floating_point.h"
#include "profiler/collect/base/exported.h"
#include "profiler/collect/base/loaded_objects.h"
#include "profiler/collect/base/os.h"
#include "profiler/collect/base/real_functions.h"
#include "profiler/collect/base/seal.h"
#include "profiler/collect/paths/walk_guard.h"
#include "profiler/collect/process/lifecycle.h"
#include "profiler/collect/process/preload.h"
#include "profiler/collect/process/thread_attach.h"
#include "profiler/collect/process/without_helper.h"
#include "profiler/collect/sampling/arming.h"
#include "profiler/collect/sampling/signal_claim.h"
#include "profiler/collect/sampling/signal_handler.h"
#include "profiler/collect/sampling/signal_mask.h"
#include "profiler/collect/sampling/signal_stack.h"
#include "profiler/collect/sampling/sleeping_call.h"
#include "profiler/collect/thread/session.h"
#include "profiler/collect/thread/thread_state.h"
#include "profiler/collect/unwind/safe_read.h"
#include "profiler/collect/write/writer.h"

namespace ompprof::collect {

namespace {

// A walk takes microseconds, but its thread may have lost the processor.
constexpr uint64_t kUnloadPatienceNs = 1000000000;
// Seconds. Longer waits are left as the program asks for them.
constexpr time_t kLongestWait = 1000000000;

bool IsSamplingSignal(int number) {
  return InSession() && number == session.config.signal && !session.ended.load(std::memory_order_relaxed);
}

// The program asks for the sampling signal through signal() or a similar function. If the call succeeds, the answer is
// the program's previous action, from the program's point of view.
template <typename Call>
sighandler_t TakeSignal(Call call) {
  const struct sigaction before = ProgramsAction();
  YieldSignal();
  return call() == SIG_ERR ? SIG_ERR : before.sa_handler;
}

// Whether the set looks like a set filled with all signals, and not like a choice of particular signals.
bool HoldsMost(const sigset_t& set) {
  int count = 0;
  for (int number = 1; number < 32; ++number) count += sigismember(&set, number) == 1;
  return count > 16;
}

bool IsBlocked(int number) {
  sigset_t now;
  return pthread_sigmask(SIG_SETMASK, nullptr, &now) == 0 && sigismember(&now, number) == 1;
}

// Waits for a signal that is not a sample. `wait`(set, information) waits once: its result is a signal's number, or -1
// and errno.
template <typename Wait>
int WaitForPrograms(const sigset_t* set, siginfo_t* info, Wait wait) {
  if (!InSession() || sigismember(set, session.config.signal) != 1) return wait(set, info);
  if (!IsBlocked(session.config.signal)) {
    // The signal's handler continues to take samples. A wait for a signal that is not blocked has no defined outcome.
    sigset_t rest = *set;
    sigdelset(&rest, session.config.signal);
    return wait(&rest, info);
  }
  siginfo_t got;
  bool disarmed = false;
  int number;
  while ((number = wait(set, &got)) == session.config.signal && TakeStraySample(got, &disarmed)) {
  }
  if (number > 0 && info != nullptr) *info = got;
  const int saved = errno;
  if (disarmed) ArmThisThreadAgain();
  errno = saved;
  return number;
}

// The size of the stack, without its guard, that pthread_create will give a thread; 0 if unknown.
size_t StackBytes(const pthread_attr_t* given) {
  pthread_attr_t standard;
  const pthread_attr_t* attributes = given;
  if (given == nullptr) {
    if (real.pthread_getattr_default_np(&standard) != 0) return 0;
    attributes = &standard;
  }
  size_t size = 0;
  size_t guard = 0;
  pthread_attr_getstacksize(attributes, &size);
  pthread_attr_getguardsize(attributes, &guard);
  if (given == nullptr) pthread_attr_destroy(&standard);
  return size > guard ? size - guard : 0;
}

// Runs in the new thread, for which pthread_create's caller has prepared `state`. The state may be gone afterwards.
void BeginThread(ThreadState* state) {
  if (AttachThisThread(state) == nullptr && !IsSealed()) FreeThread(state);
  OneThreadLess();  // the thread counts for itself now
}

void* RunThread(void* argument) {
  auto* state = static_cast<ThreadState*>(argument);
  const auto routine = reinterpret_cast<void* (*)(void*)>(state->identity.start_routine);
  void* routine_argument = state->identity.start_argument;
  BeginThread(state);
  return routine(routine_argument);
}

int RunC11Thread(void* argument) {
  auto* state = static_cast<ThreadState*>(argument);
  const auto routine = reinterpret_cast<thrd_start_t>(state->identity.start_routine);
  void* routine_argument = state->identity.start_argument;
  BeginThread(state);
  return routine(routine_argument);
}

// The state for a new thread; NULL if the thread is not profiled. The thread counts from now on, because its maker may
// end before the thread begins.
ThreadState* PrepareThread(const pthread_attr_t* attributes, void (*routine)(), void* argument) {
  const OwnFloatingPoint floating_point;
  StartOnce();
  LeaveWaitMask();  // a new thread inherits the mask, as a new process does
  ThreadState* state = InSession() ? AllocateThread() : nullptr;
  if (state == nullptr) return nullptr;
  state->identity.start_routine = routine;
  state->identity.start_argument = argument;
  state->identity.stack_bytes = StackBytes(attributes);
  session.running.fetch_add(1, std::memory_order_seq_cst);
  return state;
}

void DropThread(ThreadState* state) {
  FreeThread(state);
  OneThreadLess();
}

void EndWith(const char* call) {
  ShutDownSession(call, /*at_once=*/true);
  sealed_vfork_child = false;  // this flag lies in the parent's memory
}

}  // namespace

}  // namespace ompprof::collect

using namespace ompprof::collect;

OMPPROF_EXPORT int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*routine)(void*),
                                  void* argument) {
  if (real.pthread_create == nullptr) FindRealFunctions();
  ThreadState* state = PrepareThread(attributes, reinterpret_cast<void (*)()>(routine), argument);
  const auto create = [&](void* (*run)(void*), void* with) {
    return WithHelpersPlace([&] { return real.pthread_create(thread, attributes, run, with); },
                            [](int result) { return result == EAGAIN && errno != ENOMEM; });
  };
  if (state == nullptr) return create(routine, argument);
  const int result = create(RunThread, state);
  if (result != 0) DropThread(state);
  return result;
}

// libc's thrd_create calls libc's own pthread_create and bypasses ours.
OMPPROF_EXPORT int thrd_create(thrd_t* thread, thrd_start_t routine, void* argument) {
  if (real.thrd_create == nullptr) FindRealFunctions();
  ThreadState* state = PrepareThread(nullptr, reinterpret_cast<void (*)()>(routine), argument);
  const auto create = [&](thrd_start_t run, void* with) {
    return WithHelpersPlace([&] { return real.thrd_create(thread, run, with); },
                            [](int result) { return result != thrd_success && errno == EAGAIN; });
  };
  if (state == nullptr) return create(routine, argument);
  const int result = create(RunC11Thread, state);
  if (result != thrd_success) DropThread(state);
  return result;
}

OMPPROF_EXPORT int sigaction(int number, const struct sigaction* action, struct sigaction* old) {
  if (real.sigaction == nullptr) FindRealFunctions();
  if (!IsSamplingSignal(number)) return SetProgramsAction(number, action, old);
  // The program must find the same action as without the profiler.
  if (action == nullptr) {
    if (old != nullptr) *old = ProgramsAction();
    return 0;
  }
  const struct sigaction before = ProgramsAction();
  YieldSignal();
  const int result = real.sigaction(number, action, nullptr);
  if (result == 0 && old != nullptr) *old = before;
  return result;
}

// libc's internal name of sigaction, which some programs call.
OMPPROF_EXPORT int __sigaction(int number, const struct sigaction* action, struct sigaction* old) {
  return sigaction(number, action, old);
}

#define OMPPROF_COLLECT_SIGNAL(name)                                             \
  OMPPROF_EXPORT sighandler_t name(int number, sighandler_t handler) {           \
    if (real.name == nullptr) FindRealFunctions();                               \
    if (!IsSamplingSignal(number)) return real.name(number, handler);            \
    return TakeSignal([number, handler] { return real.name(number, handler); }); \
  }
OMPPROF_COLLECT_SIGNAL(signal)
OMPPROF_COLLECT_SIGNAL(__sysv_signal)  // signal() for programs in plain ISO C (-std=c11)
OMPPROF_COLLECT_SIGNAL(sysv_signal)
OMPPROF_COLLECT_SIGNAL(bsd_signal)
OMPPROF_COLLECT_SIGNAL(ssignal)

OMPPROF_EXPORT sighandler_t sigset(int number, sighandler_t handler) {
  if (real.sigset == nullptr) FindRealFunctions();
  if (!IsSamplingSignal(number)) return real.sigset(number, handler);
  const bool blocked = IsBlocked(number);
  const struct sigaction before = ProgramsAction();
  if (handler != SIG_HOLD) YieldSignal();  // SIG_HOLD only blocks the signal
  sighandler_t result = SIG_ERR;
  const auto call = [&] { return (result = real.sigset(number, handler)) == SIG_ERR ? -1 : 0; };
  if (handler == SIG_HOLD ? AroundMaskChange(true, call) : call()) return SIG_ERR;
  return blocked ? SIG_HOLD : before.sa_handler;
}

OMPPROF_EXPORT int sigignore(int number) {
  if (real.sigignore == nullptr) FindRealFunctions();
  if (IsSamplingSignal(number)) YieldSignal();
  return real.sigignore(number);
}

OMPPROF_EXPORT int sigaltstack(const stack_t* stack, stack_t* old) {
  if (real.sigaltstack == nullptr) FindRealFunctions();
  stack_t given;
  // The kernel reports unreadable pointers itself.
  if (stack != nullptr && SafeRead(reinterpret_cast<uintptr_t>(stack), &given, sizeof(given)))
    NoteAlternateStack(given);
  return real.sigaltstack(stack, old);
}

OMPPROF_EXPORT int signalfd(int fd, const sigset_t* set, int flags) {
  if (real.signalfd == nullptr) FindRealFunctions();
  if (set == nullptr || !IsSamplingSignal(session.config.signal) || sigismember(set, session.config.signal) != 1)
    return real.signalfd(fd, set, flags);
  if (HoldsMost(*set)) {
    // The program wants the signals of the process. Our samples are sent to threads.
    sigset_t rest = *set;
    sigdelset(&rest, session.config.signal);
    return real.signalfd(fd, &rest, flags);
  }
  const int saved = errno;
  YieldSignal();
  errno = saved;
  return real.signalfd(fd, set, flags);
}

OMPPROF_EXPORT int sigwaitinfo(const sigset_t* set, siginfo_t* info) {
  if (real.sigwaitinfo == nullptr) FindRealFunctions();
  const SleepingCall sleeping(real.sigwaitinfo);
  return WaitForPrograms(set, info,
                         [](const sigset_t* wanted, siginfo_t* got) { return real.sigwaitinfo(wanted, got); });
}

OMPPROF_EXPORT int sigwait(const sigset_t* set, int* number) {
  if (real.sigwait == nullptr) FindRealFunctions();
  if (!InSession() || sigismember(set, session.config.signal) != 1) return real.sigwait(set, number);
  const int saved = errno;
  siginfo_t info;
  int got;
  do {
    got = sigwaitinfo(set, &info);
  } while (got < 0 && errno == EINTR);  // sigwait continues after a handler
  if (got < 0) return errno;
  errno = saved;
  *number = got;
  return 0;
}

OMPPROF_EXPORT int sigtimedwait(const sigset_t* set, siginfo_t* info, const timespec* timeout) {
  if (real.sigtimedwait == nullptr) FindRealFunctions();
  if (timeout == nullptr) return sigwaitinfo(set, info);
  const SleepingCall sleeping(real.sigtimedwait);
  if (!InSession() || timeout->tv_sec < 0 || timeout->tv_sec > kLongestWait)
    return real.sigtimedwait(set, info, timeout);
  timespec left = *timeout;
  const uint64_t until =
      MonotonicNs() + static_cast<uint64_t>(timeout->tv_sec) * 1000000000ull + static_cast<uint64_t>(timeout->tv_nsec);
  return WaitForPrograms(set, info, [&left, until, again = false](const sigset_t* wanted, siginfo_t* got) mutable {
    const uint64_t now = again ? MonotonicNs() : 0;
    const uint64_t rest = now < until ? until - now : 0;
    if (again) left = {static_cast<time_t>(rest / 1000000000ull), static_cast<long>(rest % 1000000000ull)};
    again = true;
    return real.sigtimedwait(wanted, got, &left);
  });
}

OMPPROF_EXPORT int dlclose(void* handle) {
  if (real.dlclose == nullptr) FindRealFunctions();
  if (!InSession()) return real.dlclose(handle);
  // The first flush records the objects of the addresses sampled so far. After the second flush, the addresses may have
  // another meaning.
  link_map object;  // glibc's handle
  const bool known = SafeRead(reinterpret_cast<uintptr_t>(handle), &object, sizeof(object));
  ExpectUnload(known ? reinterpret_cast<uintptr_t>(object.l_ld) : 0);
  FlushNow();
  const bool guarded = UnloadsMeetWalks();
  if (guarded) walk_guard.BeginUnload(kUnloadPatienceNs);
  const int result = real.dlclose(handle);
  RefreshLoadedObjects();
  if (guarded) walk_guard.EndUnload();
  InvalidateUnwindCaches();  // walks may have seen the object's destructors, and rules from it must not stay
  ExpectUnload(0);
  FlushNow();
  return result;
}

OMPPROF_EXPORT void _exit(int status) {
  if (real._exit == nullptr) FindRealFunctions();
  EndWith("_exit");
  real._exit(status);
  __builtin_unreachable();
}

OMPPROF_EXPORT void _Exit(int status) {
  if (real._Exit == nullptr) FindRealFunctions();
  EndWith("_Exit");
  real._Exit(status);
  __builtin_unreachable();
}

// As in glibc (misc/daemon.c). glibc's own function ends the parent by an _exit that no wrapper can catch.
OMPPROF_EXPORT int daemon(int keep_directory, int keep_streams) {
  const pid_t child = fork();
  if (child < 0) return -1;
  if (child > 0) _exit(0);
  if (setsid() < 0) return -1;
  if (keep_directory == 0 && chdir("/") != 0) {
    // glibc ignores this error too.
  }
  if (keep_streams != 0) return 0;
  const int null = open("/dev/null", O_RDWR);
  struct stat status;
  if (null < 0 || FileStatus(null, "", AT_EMPTY_PATH, &status) != 0) return -1;
  if (!S_ISCHR(status.st_mode) || status.st_rdev != makedev(1, 3)) {
    close(null);
    errno = ENODEV;
    return -1;
  }
  for (int stream = 0; stream < 3; ++stream) dup2(null, stream);
  if (null > 2) close(null);
  return 0;
}

OMPPROF_EXPORT void abort() {
  if (real.abort == nullptr) FindRealFunctions();
  EndWith("abort");
  real.abort();
  __builtin_unreachable();
}
