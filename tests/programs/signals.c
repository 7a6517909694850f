// Ways to SIGPROF, by which the profiler samples. Each mode prints what it found, and returns 0. The program is built
// as ISO C (-std=c11), where <signal.h> has another function for signal().
//   signals MODE
#define _XOPEN_SOURCE 600
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

long syscall(long number, ...);

static volatile sig_atomic_t signals;
static void Count(int number) { signals = signals + (number == SIGPROF); }

static double CpuMs(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}
__attribute__((noinline)) static void Burn(double ms) {
  const double end = CpuMs() + ms;
  while (CpuMs() < end) {
  }
}

static sigset_t Profiling(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGPROF);
  return set;
}

// Sets all signals to their defaults, as shells and daemons do at their start.
static void Reset(void) {
  for (int number = 1; number <= 64; number++) signal(number, SIG_DFL);
  Burn(100);
  printf("alive\n");
}

// The same start with signals left from before.
static void ResetLater(void) {
  sigset_t set = Profiling();
  sigprocmask(SIG_BLOCK, &set, NULL);
  Burn(100);
  for (int number = 1; number <= 64; number++) signal(number, SIG_DFL);
  sigprocmask(SIG_UNBLOCK, &set, NULL);
  Burn(100);
  printf("alive\n");
}

// The same start with a signal of the program's own among those left from before.
static void TakeLater(void) {
  sigset_t set = Profiling();
  sigprocmask(SIG_BLOCK, &set, NULL);
  Burn(100);
  kill(getpid(), SIGPROF);
  signal(SIGPROF, Count);
  sigprocmask(SIG_UNBLOCK, &set, NULL);
  printf("signals %d\n", (int)signals);
}

static void OneShot(void) {
  const struct itimerval once = {{0, 0}, {0, 50000}};
  printf("default before %d\n", signal(SIGPROF, Count) == SIG_DFL);
  setitimer(ITIMER_PROF, &once, NULL);
  Burn(150);
  printf("signals %d\n", (int)signals);
}

static void Sigset(void) {
  printf("held %d, ", sigset(SIGPROF, SIG_HOLD) == SIG_DFL);
  Burn(100);
  printf("was held %d, ", sigset(SIGPROF, Count) == SIG_HOLD);
  Burn(100);
  raise(SIGPROF);
  printf("own %d, signals %d\n", sigset(SIGPROF, SIG_DFL) == Count, (int)signals);
  Burn(100);
}

static void Sigignore(void) {
  sigignore(SIGPROF);
  Burn(100);
  raise(SIGPROF);
  printf("ignored %d\n", signal(SIGPROF, SIG_DFL) == SIG_IGN);
}

// One descriptor for all signals.
static void AllByDescriptor(void) {
  sigset_t set;
  sigfillset(&set);
  sigprocmask(SIG_BLOCK, &set, NULL);
  struct pollfd fd = {signalfd(-1, &set, 0), POLLIN, 0};
  Burn(100);
  printf("ready %d\n", poll(&fd, 1, 0));
}

static void OneByDescriptor(void) {
  sigset_t set = Profiling();
  sigprocmask(SIG_BLOCK, &set, NULL);
  Burn(100);
  struct pollfd fd = {signalfd(-1, &set, 0), POLLIN, 0};
  Burn(100);
  printf("ready %d, ", poll(&fd, 1, 0));
  kill(getpid(), SIGPROF);
  printf("then %d, ", poll(&fd, 1, 0));
  struct signalfd_siginfo info;
  printf("by kill %d\n", read(fd.fd, &info, sizeof info) == sizeof info && info.ssi_code == SI_USER);
}

// kill -PROF as a command.
static void Wait(void) {
  const struct timespec none = {0, 0}, moment = {0, 20000000};
  sigset_t set = Profiling();
  int number = 0;
  siginfo_t info;
  sigprocmask(SIG_BLOCK, &set, NULL);
  for (int i = 0; i < 3; i++) {
    Burn(100);
    kill(getpid(), SIGPROF);
    const int result = i == 0   ? sigwait(&set, &number) == 0 ? number : -1
                       : i == 1 ? sigwaitinfo(&set, &info)
                                : sigtimedwait(&set, &info, &moment);
    Burn(100);
    errno = 0;
    const int more = sigtimedwait(&set, NULL, i == 1 ? &moment : &none);
    printf("came %d, by kill %d, more %d, errno %d\n", result == SIGPROF, i == 0 || info.si_code == SI_USER, more,
           errno);
  }
}

// A thread that only waits for signals has all of them blocked.
static void WaitLong(void) {
  const struct timespec long_time = {0, 600000000};
  sigset_t set, before;
  sigfillset(&set);
  sigprocmask(SIG_BLOCK, &set, &before);
  printf("came %d\n", sigtimedwait(&set, NULL, &long_time));
  sigprocmask(SIG_SETMASK, &before, NULL);
  Burn(100);
}

// Sets a handler as Go's runtime does, with the kernel's own structure: a handler, flags, the return function, a mask.
static void PastLibc(void) {
  struct {
    void (*handler)(int);
    unsigned long flags;
    void (*restorer)(void);
    uint64_t mask;
  } action;
  struct sigaction any;
  memset(&any, 0, sizeof any);
  any.sa_handler = Count;
  sigaction(SIGUSR1, &any, NULL);
  syscall(SYS_rt_sigaction, SIGUSR1, NULL, &action, sizeof action.mask);
  syscall(SYS_rt_sigaction, SIGPROF, &action, NULL, sizeof action.mask);
  Burn(500);  // some signals come meanwhile
  const int before = signals;
  Burn(500);
  printf("signals %d\n", signals - before);
}

int main(int argc, char** argv) {
  static const struct {
    const char* name;
    void (*run)(void);
  } modes[] = {{"reset", Reset},
               {"reset_later", ResetLater},
               {"take_later", TakeLater},
               {"one_shot", OneShot},
               {"sigset", Sigset},
               {"sigignore", Sigignore},
               {"all_by_descriptor", AllByDescriptor},
               {"wait", Wait},
               {"wait_long", WaitLong},
               {"past_libc", PastLibc},
               {"one_by_descriptor", OneByDescriptor}};
  for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
    if (argc < 2 || strcmp(argv[1], modes[i].name) != 0) continue;
    Burn(100);
    modes[i].run();
    return 0;
  }
  fprintf(stderr, "signals: no such mode\n");
  return 2;
}
