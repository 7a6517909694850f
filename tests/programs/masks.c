// Threads that block the profiler's signal. The signal must not be sent to them, nor end their waits. Each mode prints
// the same with the profiler and without. Modes that end in "work" also print how long the thread was in free_work and
// in blocked_work, for a comparison with the profile.
//   masks WAY|wait_*|*_work|million [PERCENT]     PERCENT: of the usual time
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

extern char** environ;

static double ThreadMs(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static double scale = 1;
static volatile double sink;
static void Spin(void) {
  for (int i = 0; i < 2000; i++) sink = sink + i;
}
__attribute__((noinline)) static double free_work(double ms) {
  const double start = ThreadMs();
  while (ThreadMs() < start + ms * scale) Spin();
  return ThreadMs() - start;
}
__attribute__((noinline)) static double blocked_work(double ms) {
  const double start = ThreadMs();
  while (ThreadMs() < start + ms * scale) Spin();
  sink = sink / 2;
  return ThreadMs() - start;
}

static sigset_t All(void) {
  sigset_t set;
  sigfillset(&set);
  return set;
}
static sigset_t None(void) {
  sigset_t set;
  sigemptyset(&set);
  return set;
}
static sigset_t Profiling(void) {
  sigset_t set = None();
  sigaddset(&set, SIGPROF);
  return set;
}

static ucontext_t here, there;
static char context_stack[256 << 10];
static volatile int returned;

static void Nothing(void) {}

// Leaves the thread with a mask that has SIGPROF, or with a mask that has not.
static void ByThread(int block) {
  const sigset_t all = All();
  pthread_sigmask(block ? SIG_BLOCK : SIG_UNBLOCK, &all, NULL);
}
static void BySetmask(int block) {
  const sigset_t set = block ? All() : None();
  pthread_sigmask(SIG_SETMASK, &set, NULL);
}
static void ByProcess(int block) {
  const sigset_t set = Profiling();
  sigprocmask(block ? SIG_BLOCK : SIG_UNBLOCK, &set, NULL);
}
static void ByBsd(int block) {
  if (block)
    sigblock(sigmask(SIGPROF));
  else
    sigsetmask(0);
}
static void ByHold(int block) { block ? sighold(SIGPROF) : sigrelse(SIGPROF); }
static void BySigset(int block) {
  if (block)
    sigset(SIGPROF, SIG_HOLD);
  else
    sigrelse(SIGPROF);
}
static void ByContext(int block) {
  returned = 0;
  getcontext(&here);
  if (returned) return;
  returned = 1;
  here.uc_sigmask = block ? All() : None();
  setcontext(&here);
}
// Goes through a context with the other mask and back to a context with the wanted mask.
static void BySwap(int block) {
  getcontext(&there);
  there.uc_stack.ss_sp = context_stack;
  there.uc_stack.ss_size = sizeof context_stack;
  there.uc_link = &here;
  there.uc_sigmask = block ? None() : All();
  makecontext(&there, Nothing, 0);
  ByThread(block);
  swapcontext(&here, &there);
}
static void ByJump(int block) {
  sigjmp_buf environment;
  ByThread(block);
  if (sigsetjmp(environment, 1) == 0) {
    ByThread(!block);
    siglongjmp(environment, 1);
  }
}

// What a thread that blocks the signal sees of it.
static void Look(void) {
  sigset_t pending, set = Profiling();
  const uint64_t bits = 1ull << (SIGPROF - 1);
  sigpending(&pending);
  struct pollfd fd = {(int)syscall(SYS_signalfd4, -1, &bits, sizeof bits, 0), POLLIN, 0};
  const int ready = poll(&fd, 1, 0);
  close(fd.fd);
  siginfo_t info;
  const struct timespec none = {0, 0};
  const long taken = syscall(SYS_rt_sigtimedwait, &set, &info, &none, sizeof bits);
  printf("pending %d, ready %d, taken %ld\n", sigismember(&pending, SIGPROF), ready, taken);
}

static void Blocks(void (*by)(int)) {
  for (int i = 0; i < 40; i++) {
    free_work(3);
    by(1);
    blocked_work(7);
    if (i % 8 == 0) Look();
    by(0);
  }
  free_work(100);
}

// As long unblocked as blocked, in stretches shorter than the kernel's tick.
static void Work(void) {
  double in_free = 0, in_blocked = 0;
  const sigset_t all = All(), none = None();
  for (int i = 0; i < 700; i++) {
    in_free += free_work(2);
    pthread_sigmask(SIG_SETMASK, &all, NULL);
    in_blocked += blocked_work(2);
    pthread_sigmask(SIG_SETMASK, &none, NULL);
  }
  printf("truth function free_work %.0f\ntruth function blocked_work %.0f\n", in_free * 1e6, in_blocked * 1e6);
}

static void* AttributeThread(void* unused) {
  (void)unused;
  double blocked = blocked_work(200);
  Look();
  ByThread(0);
  const double in_free = free_work(1000);
  printf("truth function free_work %.0f\ntruth function blocked_work %.0f\n", in_free * 1e6, blocked * 1e6);
  return NULL;
}
static void AttributeWork(void) {
  pthread_attr_t attributes;
  pthread_t thread;
  const sigset_t all = All();
  pthread_attr_init(&attributes);
  pthread_attr_setsigmask_np(&attributes, &all);
  pthread_create(&thread, &attributes, AttributeThread, NULL);
  pthread_join(thread, NULL);
}

// A handler that blocks all signals. The kernel unblocks them as the handler returns, and tells nobody.
static void BlockAll(int number) {
  (void)number;
  ByThread(1);
}
static void HandlerWork(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = BlockAll;
  sigaction(SIGUSR1, &action, NULL);
  raise(SIGUSR1);
  blocked_work(1500);  // until the profiler notices
  const double in_free = free_work(1500);
  printf("truth function free_work %.0f\n", in_free * 1e6);
}

// Starts a child as programs start others: the child shares the parent's memory and has a mask of its own.
static void VforkWork(void) {
  double in_free = 0;
  const sigset_t all = All(), none = None();
  for (int i = 0; i < 20; i++) {
    pthread_sigmask(SIG_SETMASK, &all, NULL);
    const pid_t child = vfork();
    if (child == 0) {
      pthread_sigmask(SIG_SETMASK, &none, NULL);
      pthread_sigmask(SIG_SETMASK, &all, NULL);
      pthread_sigmask(SIG_SETMASK, &none, NULL);
      execl("/bin/true", "true", NULL);
      _exit(1);
    }
    pthread_sigmask(SIG_SETMASK, &none, NULL);
    int status = 0;
    waitpid(child, &status, 0);
    if (status != 0) printf("child %d\n", status);
    char* arguments[] = {"true", NULL};
    pid_t spawned;
    if (posix_spawn(&spawned, "/bin/true", NULL, NULL, arguments, environ) != 0) printf("not spawned\n");
    waitpid(spawned, &status, 0);
    if (status != 0) printf("child %d\n", status);
    in_free += free_work(60);
  }
  printf("truth function free_work %.0f\n", in_free * 1e6);
}

static volatile sig_atomic_t alarms;
static void Alarm(int number) {
  (void)number;
  alarms = alarms + 1;
}

// Waits of 30 ms that let all signals through, in a thread that blocks all signals otherwise.
static int WaitOnce(const char* name) {
  const sigset_t none = None();
  const struct timespec limit = {0, 30000000};
  struct epoll_event event;
  if (strcmp(name, "wait_ppoll") == 0) return ppoll(NULL, 0, &limit, &none);
  if (strcmp(name, "wait_pselect") == 0) return pselect(0, NULL, NULL, NULL, &limit, &none);
  if (strncmp(name, "wait_epoll", 10) == 0) {
    const int epoll = epoll_create1(0);
    const int result = strcmp(name, "wait_epoll") == 0 ? epoll_pwait(epoll, &event, 1, 30, &none)
                                                       : epoll_pwait2(epoll, &event, 1, &limit, &none);
    close(epoll);
    return result;
  }
  // An alarm ends waits without a limit.
  const struct itimerval once = {{0, 0}, {0, 30000}};
  alarms = 0;
  setitimer(ITIMER_REAL, &once, NULL);
  int result = 0;
  if (strcmp(name, "wait_sigsuspend") == 0) result = sigsuspend(&none);
  if (strcmp(name, "wait_sigpause") == 0) result = sigpause(SIGALRM);
  return alarms == 1 && result == -1 && errno == EINTR ? 0 : -1;
}
static void Wait(const char* name) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = Alarm;
  sigaction(SIGALRM, &action, NULL);
  ByThread(1);
  int ended = 0;
  for (int i = 0; i < 10; i++) {
    blocked_work(15);
    ended += WaitOnce(name) != 0;
  }
  Look();
  ByThread(0);
  free_work(100);
  printf("ended early %d\n", ended);
}

// The CPU time of a million changes of the mask.
static void Million(void) {
  const sigset_t all = All(), none = None();
  const double start = ThreadMs();
  for (int i = 0; i < 500000; i++) {
    pthread_sigmask(SIG_SETMASK, &all, NULL);
    pthread_sigmask(SIG_SETMASK, &none, NULL);
  }
  const double changes = ThreadMs() - start;
  const sigset_t alarm = None();
  for (int i = 0; i < 500000; i++) {
    pthread_sigmask(SIG_BLOCK, &alarm, NULL);
    pthread_sigmask(SIG_UNBLOCK, &alarm, NULL);
  }
  printf("cpu changes %.3f ms, none %.3f ms\n", changes, ThreadMs() - start - changes);
}

int main(int argc, char** argv) {
  static const struct {
    const char* name;
    void (*by)(int);
  } ways[] = {{"thread", ByThread}, {"setmask", BySetmask}, {"process", ByProcess}, {"bsd", ByBsd},  {"hold", ByHold},
              {"sigset", BySigset}, {"context", ByContext}, {"swap", BySwap},       {"jump", ByJump}};
  static const struct {
    const char* name;
    void (*run)(void);
  } modes[] = {{"stretches_work", Work},
               {"attribute_work", AttributeWork},
               {"handler_work", HandlerWork},
               {"vfork_work", VforkWork},
               {"million", Million}};
  const char* name = argc > 1 ? argv[1] : "";
  if (argc > 2) scale = strtod(argv[2], NULL) / 100;
  for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
    if (strcmp(name, ways[i].name) == 0) return Blocks(ways[i].by), 0;
  }
  for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
    if (strcmp(name, modes[i].name) == 0) return modes[i].run(), 0;
  }
  if (strncmp(name, "wait_", 5) == 0) return Wait(name), 0;
  fprintf(stderr, "masks: no such mode\n");
  return 2;
}
