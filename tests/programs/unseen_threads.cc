// Threads that no call of the preloaded library's pthread_create makes.
//   unseen_threads deepbind LIBRARY   threads of a library whose calls go to libc directly (RTLD_DEEPBIND)
//   unseen_threads timer              libc's own threads, which take no signals (SIGEV_THREAD)
//   unseen_threads leave LIBRARY      as deepbind, and then work and an end without libc
//   unseen_threads clone              a thread by clone, without a thread descriptor of its own
#include <dlfcn.h>
#include <linux/futex.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

#include "truth.h"

TRUTH_WORK(timer_work)
TRUTH_WORK(clone_work)
TRUTH_WORK(last_work)

static sem_t timer_ended;
static uint64_t iterations;

static void OnTimer(sigval) {
  timer_work(iterations);
  sem_post(&timer_ended);
}

static int RunTimers() {
  sem_init(&timer_ended, 0, 0);
  sigevent event = {};
  event.sigev_notify = SIGEV_THREAD;
  event.sigev_notify_function = OnTimer;
  timer_t timer;
  if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0) return 1;
  for (int i = 0; i < 3; ++i) {
    const itimerspec soon = {{0, 0}, {0, 1000000}};
    timer_settime(timer, 0, &soon, nullptr);
    while (sem_wait(&timer_ended) != 0) {
    }
  }
  return 0;
}

// Shares the maker's thread descriptor, so it may not call libc.
static int InClone(void*) {
  clone_work(iterations);
  return 0;
}

static int RunClone() {
  constexpr size_t kStackBytes = 1 << 20;
  void* stack = mmap(nullptr, kStackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  static volatile pid_t alive = 1;
  const int flags =
      CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM | CLONE_CHILD_CLEARTID;
  if (clone(InClone, static_cast<char*>(stack) + kStackBytes, flags, nullptr, nullptr, nullptr, &alive) < 0) return 1;
  while (alive != 0) syscall(SYS_futex, &alive, FUTEX_WAIT, 1, nullptr, nullptr, 0);
  return 0;
}

static int RunDeepbind(const char* library) {
  void* object = dlopen(library, RTLD_NOW | RTLD_DEEPBIND);
  if (object == nullptr) {
    std::fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  const auto run = reinterpret_cast<void (*)()>(dlsym(object, "RunThreads"));
  if (run == nullptr) return 1;
  run();
  return 0;
}

static void Leave() {
  truth::Account account("function", "last_work");
  {
    const truth::Timed timed(account);
    last_work(4 * iterations);
  }
  account.Print();
  truth::PrintProcess();
  std::fflush(stdout);
  syscall(SYS_exit_group, 0);
}

int main(int argc, char** argv) {
  const char* mode = argc > 1 ? argv[1] : "";
  iterations = truth::Iterations(300);
  int result = 2;
  if (std::strcmp(mode, "timer") == 0) result = RunTimers();
  if (std::strcmp(mode, "clone") == 0) result = RunClone();
  if (std::strcmp(mode, "deepbind") == 0 && argc > 2) result = RunDeepbind(argv[2]);
  if (std::strcmp(mode, "leave") == 0 && RunDeepbind(argv[2]) == 0) Leave();
  std::puts("done");
  truth::PrintProcess();
  return result;
}
