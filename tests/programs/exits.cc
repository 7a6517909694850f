// Works in a parallel region, and then ends in the way that MODE names. The profile should have the work.
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

// A child of fork uses no OpenMP: the standard promises nothing there, and libomp would have to start anew.
static void WorkInChild() { child_work(truth::Iterations(work_ms)); }

static int Wait(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// Three children end in different ways. Their statuses must reach the parent.
static int Fork(char**) {
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

static int Exec(char** argv) {
  char next[] = "return";
  char* arguments[] = {argv[0], next, argv[2], nullptr};
  execv("/proc/self/exe", arguments);
  return 1;
}

// The exec fails; the program goes on, and the profiler with it.
static int FailToExec(char**) {
  execl("/nonexistent/program", "program", nullptr);
  exit_region(child_work);
  return 17;
}

static int System(char**) { return system("exit 17") == 17 << 8 ? 17 : 1; }

// Work in an exit handler is still the program's own time.
static int WorkAtExit(char**) {
  atexit([] { exit_region(child_work); });
  return 17;
}

// Destructors of static objects run after whatever a runtime does at exit().
static bool works_in_destructor = false;
static struct Static {
  ~Static() {
    if (works_in_destructor) WorkInChild();
  }
} destroyed_last;

// exit() on a thread that is not the first, in a region, in a region within, or in a task.
static int ExitInRegion(char** argv) {
  works_in_destructor = true;
  omp_set_max_active_levels(2);
  const bool nested = strstr(argv[1], "nested") != nullptr, in_task = strstr(argv[1], "task") != nullptr;
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) {
#pragma omp task if (in_task)
      if (in_task) exit(17);
      for (;;) usleep(1000);
    }
    if (nested) {
#pragma omp parallel num_threads(2)
      {
        if (omp_get_thread_num() == 0) exit(17);
        for (;;) usleep(1000);
      }
    }
    if (!in_task) exit(17);
  }
  return 1;
}

static std::atomic<bool> go{false};

static void* ExitCancelled(void*) {
  while (!go.load()) {
  }
  _exit(17);  // no cancellation point, whatever is pending
}

// Returns the status of a child that ends in a hard place: in a cancelled thread, or in a signal handler that
// interrupted pthread_create or pthread_join anywhere.
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

static int ExitInHardPlaces(char**) {
  int right = 0;
  for (int number = 0; number < 160; number++) right += ExitInHardPlace(number) == 17;
  printf("right %d\n", right);
  return right == 160 ? 17 : 1;
}

static void* EndProcess(void*) { _exit(17); }
static void* WorkForever(void*) {
  for (;;) exit_work(1000000);
}

// The main thread has gone when this returns.
static void LetMainLeave() { usleep(20000); }

static void* WorkThenExit(void*) {
  LetMainLeave();
  exit_work(truth::Iterations(work_ms));
  exit(17);
}

static void* Work(void*) {
  LetMainLeave();
  child_work(truth::Iterations(work_ms));
  return nullptr;
}

static void* WorkThenUseUpDescriptors(void*) {
  LetMainLeave();
  child_work(truth::Iterations(work_ms));
  const rlimit few = {16, 16};
  setrlimit(RLIMIT_NOFILE, &few);
  while (dup(0) >= 0) {
  }
  return nullptr;
}

static int EndInThread(char**) {
  pthread_t thread;
  pthread_create(&thread, nullptr, EndProcess, nullptr);
  for (;;) pause();
}

// Four threads are still at work when the process ends.
static int LeaveDetached(char**) {
  for (int i = 0; i < 4; i++) {
    pthread_t thread;
    pthread_create(&thread, nullptr, WorkForever, nullptr);
    pthread_detach(thread);
  }
  return 17;
}

// The main thread ends. The process ends with its last thread.
static int LeaveTo(void* (*routine)(void*)) {
  pthread_t thread;
  pthread_create(&thread, nullptr, routine, nullptr);
  pthread_exit(nullptr);
}

static int LeaveToThread(char**) { return LeaveTo(WorkThenExit); }

static int LeaveToThreadWithoutDescriptors(char**) { return LeaveTo(WorkThenUseUpDescriptors); }

// A further thread is made past libc, which does not count it.
static int LeaveToUnknownThread(char**) {
  static char stack[65536];
  clone(
      [](void*) -> int {
        for (;;) usleep(1000000);
      },
      stack + sizeof stack, CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM, nullptr);
  return LeaveTo(Work);
}

static int LeaveToC11Thread(char**) {
  thrd_t thread;
  thrd_create(
      &thread,
      [](void*) -> int {
        Work(nullptr);
        return 5;  // not the process's status
      },
      nullptr);
  pthread_exit(nullptr);
}

static int JoinC11Thread(char**) {
  thrd_t thread;
  int result = 0;
  const int created = thrd_create(
      &thread,
      [](void* answer) -> int {
        child_work(truth::Iterations(work_ms));
        return *static_cast<int*>(answer);
      },
      &(result = 17));
  if (created != thrd_success || thrd_join(thread, &result) != thrd_success) return 1;
  return result;
}

// The last thread runs the exit handlers and destructors: main itself, another thread, or a thread of libgomp's, which
// ends as main does.
static int LeaveToHandlers(char** argv) {
  works_in_destructor = true;
  atexit(WorkInChild);
  const auto wait = [](void*) -> void* {
    LetMainLeave();
    return nullptr;
  };
  if (strstr(argv[1], "thread") != nullptr) LeaveTo(wait);
  pthread_exit(nullptr);
}

struct Mode {
  const char* name;
  int (*end)(char** argv);  // the status that main returns, if it returns
};

constexpr Mode kModes[] = {
    {"return", [](char**) { return 17; }},
    {"exit", [](char**) -> int { exit(17); }},
    {"_exit", [](char**) -> int { _exit(17); }},
    {"quick_exit", [](char**) -> int { quick_exit(17); }},
    {"abort", [](char**) -> int { abort(); }},
    {"raise", [](char**) { return raise(SIGTERM); }},
    {"kill9", [](char**) { return kill(getpid(), SIGKILL); }},
    {"segv", [](char**) { return *reinterpret_cast<volatile int*>(16) = 1; }},
    {"atexit", WorkAtExit},
    {"exit_in_region", ExitInRegion},
    {"exit_in_nested_region", ExitInRegion},
    {"exit_in_task", ExitInRegion},
    {"exec", Exec},
    {"exec_fails", FailToExec},
    {"fork", Fork},
    {"_exit_in_hard_places", ExitInHardPlaces},
    {"spawn", Spawn},
    {"vfork", VforkExec},
    {"system", System},
    {"thread_exits", EndInThread},
    {"detached", LeaveDetached},
    {"main_leaves", LeaveToThread},
    {"thread_without_descriptors_last", LeaveToThreadWithoutDescriptors},
    {"unknown_thread_last", LeaveToUnknownThread},
    {"c11_thread_last", LeaveToC11Thread},
    {"handlers_of_main_last", LeaveToHandlers},
    {"handlers_of_thread_last", LeaveToHandlers},
    {"handlers_of_libgomp", LeaveToHandlers},
    {"c11_thread_joined", JoinC11Thread},
};

int main(int argc, char** argv) {
  const char* name = argc > 1 ? argv[1] : "return";
  work_ms = static_cast<double>(truth::Argument(argc, argv, 2, 200));
  // OpenMP's threads stay to the end. Modes in which the process ends with its last thread must have none.
  const bool without_openmp = strstr(name, "_last") != nullptr;
  without_openmp ? static_cast<void>(exit_work(truth::Iterations(work_ms))) : exit_region(exit_work);
  printf("worked\n");
  fflush(stdout);
  for (const Mode& mode : kModes) {
    if (strcmp(name, mode.name) == 0) return mode.end(argv);
  }
  fprintf(stderr, "exits: no mode %s\n", name);
  return 2;
}
