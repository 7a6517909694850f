// Ends in each way that a process can end, after work in a parallel region that should be in the profile.
//   exits MODE [CPU_MS]
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <threads.h>
#include <unistd.h>

#include <atomic>

#include "truth.h"

extern "C" char** environ;

TRUTH_WORK(exit_work)
TRUTH_WORK(child_work)

static double work_ms;

TRUTH_FUNCTION void exit_region(uint64_t (*work)(uint64_t)) {
#pragma omp parallel num_threads(2)
  work(truth::Iterations(work_ms / 2));
  TRUTH_NO_TAIL_CALL();
}

// No OpenMP after fork in the child: the standard promises nothing there, and libomp would have to start anew.
static void WorkInChild() { child_work(truth::Iterations(work_ms)); }

static int Wait(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// Three children that end in different ways; their answers must reach the parent.
static int Fork() {
  pid_t children[3];
  for (int i = 0; i < 3; i++) {
    fflush(stdout);
    children[i] = fork();
    if (children[i] == 0) {
      WorkInChild();
      if (i == 0) exit(21);
      if (i == 1) _exit(22);
      abort();
    }
  }
  const int answers[] = {Wait(children[0]), Wait(children[1]), Wait(children[2])};
  printf("children %d %d %d\n", answers[0], answers[1], answers[2]);
  return answers[0] == 21 && answers[1] == 22 && answers[2] == 128 + SIGABRT ? 17 : 1;
}

static int Spawn(char** argv) {
  char mode[] = "return", ms[] = "20";
  char* arguments[] = {argv[0], mode, ms, nullptr};
  pid_t child;
  if (posix_spawn(&child, "/proc/self/exe", nullptr, nullptr, arguments, environ) != 0) return 1;
  return Wait(child);
}

static int VforkExec(char** argv) {
  char mode[] = "return", ms[] = "20";
  char* arguments[] = {argv[0], mode, ms, nullptr};
  const pid_t child = vfork();
  if (child == 0) {
    execv("/proc/self/exe", arguments);
    _exit(127);
  }
  return Wait(child);
}

static std::atomic<bool> go{false};

static void* ExitCancelled(void*) {
  while (!go.load()) {
  }
  _exit(17);  // no cancellation point, whatever is pending
}

// A child that ends in a thread that has been cancelled, or in a signal handler that interrupted anything of
// pthread_create and pthread_join. The status it ends with.
static int ExitInHardPlace(int number) {
  fflush(stdout);
  const pid_t child = fork();
  if (child != 0) return Wait(child);
  pthread_t threads[8];
  if (number % 4 == 0) {
    pthread_create(&threads[0], nullptr, ExitCancelled, nullptr);
    usleep(1000);
    pthread_cancel(threads[0]);
    go = true;
    for (;;) pause();
  }
  signal(SIGALRM, [](int) { _exit(17); });
  const itimerval once = {{0, 0}, {0, 2000 + number * 7919 % 10000}};
  setitimer(ITIMER_REAL, &once, nullptr);
  for (;;) {
    for (pthread_t& thread : threads) {
      if (pthread_create(
              &thread, nullptr, [](void*) -> void* { return nullptr; }, nullptr) != 0)
        _exit(1);
    }
    for (pthread_t& thread : threads) pthread_join(thread, nullptr);
  }
}

static void* EndProcess(void*) { _exit(17); }
static void* WorkForever(void*) {
  for (;;) exit_work(1000000);
}
static void* WorkThenExit(void*) {
  usleep(20000);  // the main thread has gone by now
  exit_work(truth::Iterations(work_ms));
  exit(17);
}

int main(int argc, char** argv) {
  const char* mode = argc > 1 ? argv[1] : "return";
  const auto is = [mode](const char* name) { return strcmp(mode, name) == 0; };
  work_ms = static_cast<double>(truth::Argument(argc, argv, 2, 200));
  // OpenMP's threads stay, and with them a process that its first thread leaves.
  const bool without_openmp = strstr(mode, "_last") != nullptr;
  without_openmp ? static_cast<void>(exit_work(truth::Iterations(work_ms))) : exit_region(exit_work);
  printf("worked\n");
  fflush(stdout);

  if (is("return")) return 17;
  if (is("exit")) exit(17);
  if (is("_exit")) _exit(17);
  if (is("quick_exit")) quick_exit(17);
  if (is("abort")) abort();
  if (is("raise")) raise(SIGTERM);
  if (is("kill9")) kill(getpid(), SIGKILL);
  if (is("segv")) *reinterpret_cast<volatile int*>(16) = 1;
  if (is("atexit")) {
    atexit([] { exit_region(child_work); });  // still the program's own time
    return 17;
  }
  if (is("exec")) {
    char next[] = "return";
    char* arguments[] = {argv[0], next, argc > 2 ? argv[2] : nullptr, nullptr};
    execv("/proc/self/exe", arguments);
    return 1;
  }
  if (is("exec_fails")) {
    execl("/nonexistent/program", "program", nullptr);
    exit_region(child_work);  // goes on, and is profiled on
    return 17;
  }
  if (is("fork")) return Fork();
  if (is("_exit_in_hard_places")) {
    int right = 0;
    for (int number = 0; number < 160; number++) right += ExitInHardPlace(number) == 17;
    printf("right %d\n", right);
    return right == 160 ? 17 : 1;
  }
  if (is("spawn")) return Spawn(argv);
  if (is("vfork")) return VforkExec(argv);
  if (is("system")) return system("exit 17") == 17 << 8 ? 17 : 1;
  pthread_t thread;
  if (is("thread_exits")) {
    pthread_create(&thread, nullptr, EndProcess, nullptr);
    for (;;) pause();
  }
  if (is("detached")) {
    for (int i = 0; i < 4; i++) {
      pthread_create(&thread, nullptr, WorkForever, nullptr);
      pthread_detach(thread);
    }
    return 17;  // with four threads still at work
  }
  if (is("main_leaves")) {
    pthread_create(&thread, nullptr, WorkThenExit, nullptr);
    pthread_exit(nullptr);
  }
  if (is("thread_without_descriptors_last")) {
    pthread_create(
        &thread, nullptr,
        [](void*) -> void* {
          usleep(20000);
          child_work(truth::Iterations(work_ms));
          const rlimit few = {16, 16};
          setrlimit(RLIMIT_NOFILE, &few);
          while (dup(0) >= 0) {
          }
          return nullptr;
        },
        nullptr);
    pthread_exit(nullptr);
  }
  if (is("unknown_thread_last")) {
    // Made past libc, which does not count it either.
    static char stack[65536];
    clone(
        [](void*) -> int {
          for (;;) usleep(1000000);
        },
        stack + sizeof stack, CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM,
        nullptr);
    pthread_create(
        &thread, nullptr,
        [](void*) -> void* {
          usleep(20000);
          child_work(truth::Iterations(work_ms));
          return nullptr;
        },
        nullptr);
    pthread_exit(nullptr);
  }
  if (is("c11_thread_last")) {
    thrd_t c11_thread;
    thrd_create(
        &c11_thread,
        [](void*) -> int {
          usleep(20000);  // the main thread has gone by now
          child_work(truth::Iterations(work_ms));
          return 5;  // not the process's
        },
        nullptr);
    pthread_exit(nullptr);
  }
  if (is("c11_thread_joined")) {
    thrd_t c11_thread;
    int result = 0;
    const int created = thrd_create(
        &c11_thread,
        [](void* answer) -> int {
          child_work(truth::Iterations(work_ms));
          return *static_cast<int*>(answer);
        },
        &(result = 17));
    if (created != thrd_success || thrd_join(c11_thread, &result) != thrd_success) return 1;
    return result;
  }
  fprintf(stderr, "exits: no mode %s\n", mode);
  return 2;
}
