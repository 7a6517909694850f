// Threads that block all signals and wait with a mask that lets the sampling signal through. Also programs that look at
// pending signals. Only the profiler sends SIGPROF.
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/time.h>

#include "tests/faults/host.h"

using faults::total_ms;
using faults::Work;

namespace {

constexpr timespec kMoment = {0, 200000000};
sigset_t none, all;
volatile sig_atomic_t alarms;

void BlockAllAndWork() {
  sigemptyset(&none);
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
  Work(total_ms / 2);
}

int Report(const char* what, long result) {
  const int error = result < 0 ? errno : 0;
  printf("%s %ld, error %d\n", what, result, error);
  fflush(stdout);
  Work(total_ms / 2);
  return result == 0 ? 0 : 1;
}

int Ppoll() {
  BlockAllAndWork();
  return Report("ppoll", ppoll(nullptr, 0, &kMoment, &none));
}

int Pselect() {
  BlockAllAndWork();
  return Report("pselect", pselect(0, nullptr, nullptr, nullptr, &kMoment, &none));
}

int EpollPwait() {
  BlockAllAndWork();
  epoll_event event;
  const int descriptor = epoll_create1(0);
  return Report("epoll_pwait", epoll_pwait(descriptor, &event, 1, 200, &none));
}

// A thread that waits as event loops do.
int PpollInAThread() {
  pthread_t thread;
  pthread_create(
      &thread, nullptr, [](void*) -> void* { return reinterpret_cast<void*>(static_cast<long>(Ppoll())); }, nullptr);
  void* result;
  pthread_join(thread, &result);
  return static_cast<int>(reinterpret_cast<long>(result));
}

int Sigsuspend() {
  signal(SIGALRM, [](int) { alarms = alarms + 1; });
  BlockAllAndWork();
  const itimerval once = {{0, 0}, {0, 200000}};
  setitimer(ITIMER_REAL, &once, nullptr);
  sigsuspend(&none);
  printf("alarms %d\n", static_cast<int>(alarms));
  fflush(stdout);
  Work(total_ms / 2);
  return 0;
}

int Sigpending() {
  BlockAllAndWork();
  sigset_t pending;
  sigpending(&pending);
  int count = 0;
  for (int number = 1; number < 65; number++) count += sigismember(&pending, number) == 1;
  return Report("pending", count);
}

// Waits past libc, as some runtimes do.
int RawSignalfd() {
  BlockAllAndWork();
  const uint64_t set = ~uint64_t{0};
  pollfd descriptor = {static_cast<int>(syscall(SYS_signalfd4, -1, &set, sizeof set, 0)), POLLIN, 0};
  return Report("ready", poll(&descriptor, 1, 200));
}

int RawSigtimedwait() {
  BlockAllAndWork();
  const uint64_t set = ~uint64_t{0};
  const long result = syscall(SYS_rt_sigtimedwait, &set, nullptr, &kMoment, sizeof set);
  printf("came %ld\n", result);
  fflush(stdout);
  Work(total_ms / 2);
  return result == -1 ? 0 : 1;
}

// The mask as sigprocmask, sigsetjmp and handlers keep it.
int MaskChanges() {
  sigset_t before, now;
  sigemptyset(&none);
  long wrong = 0;
  for (int i = 0; i < 20000; i++) {
    sigset_t some;
    sigemptyset(&some);
    sigaddset(&some, 1 + i % 31);
    sigaddset(&some, SIGPROF);
    sigprocmask(SIG_BLOCK, &some, &before);
    sigprocmask(SIG_SETMASK, nullptr, &now);
    wrong += sigismember(&now, SIGPROF) != 1 || sigismember(&before, SIGPROF) != 0;
    sigprocmask(i % 2 == 0 ? SIG_UNBLOCK : SIG_SETMASK, i % 2 == 0 ? &some : &before, nullptr);
    if (i % 100 == 0) Work(total_ms / 200);
  }
  printf("wrong %ld\n", wrong);
  return 0;
}

// Two threads pass a signal back and forth by sigwait.
int SigwaitThreads() {
  sigemptyset(&none);
  sigset_t mine;
  sigemptyset(&mine);
  sigaddset(&mine, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &mine, nullptr);
  pthread_t thread;
  static pthread_t main_thread;
  main_thread = pthread_self();
  pthread_create(
      &thread, nullptr,
      [](void*) -> void* {
        sigset_t set;
        sigemptyset(&set);
        sigaddset(&set, SIGUSR1);
        for (int i = 0; i < 3000; i++) {
          int number;
          sigwait(&set, &number);
          pthread_kill(main_thread, SIGUSR1);
        }
        return nullptr;
      },
      nullptr);
  int rounds = 0;
  for (int i = 0; i < 3000; i++) {
    pthread_kill(thread, SIGUSR1);
    int number = 0;
    rounds += sigwait(&mine, &number) == 0 && number == SIGUSR1;
    if (i % 30 == 0) Work(total_ms / 100);
  }
  pthread_join(thread, nullptr);
  printf("rounds %d\n", rounds);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  static const faults::Mode modes[] = {{"ppoll", Ppoll},
                                       {"ppoll_in_a_thread", PpollInAThread},
                                       {"pselect", Pselect},
                                       {"epoll_pwait", EpollPwait},
                                       {"sigsuspend", Sigsuspend},
                                       {"sigpending", Sigpending},
                                       {"raw_signalfd", RawSignalfd},
                                       {"raw_sigtimedwait", RawSigtimedwait},
                                       {"mask_changes", MaskChanges},
                                       {"sigwait_threads", SigwaitThreads}};
  return faults::Run(argc, argv, modes);
}
