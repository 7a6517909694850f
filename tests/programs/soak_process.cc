// Children, signals, libraries that come and go.
#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <vector>

#include "soak_steps.h"

extern "C" char** environ;

namespace soak {

const char* library_path;

namespace {

std::atomic<uint64_t> handled{0};

void Count(int) { ++handled; }

void Install(int signal, int flags) {
  struct sigaction action = {};
  action.sa_handler = Count;
  action.sa_flags = flags;
  sigaction(signal, &action, nullptr);
}

uint64_t StatusOf(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return 1000;
  }
  return WIFEXITED(status) ? static_cast<uint64_t>(WEXITSTATUS(status)) : 500 + static_cast<uint64_t>(WTERMSIG(status));
}

void* ThreadInChild(void* seed) {
  *static_cast<uint64_t*>(seed) = Work(*static_cast<uint64_t*>(seed), 100000);
  return nullptr;
}

// A child of a process that has used OpenMP uses none: the standard promises nothing there.
[[noreturn]] void BeChild(uint64_t seed, int how) {
  uint64_t value = Work(seed, 200000);
  if (how == 0) _exit(static_cast<int>(value % 120));
  if (how == 1) {
    kill(getpid(), SIGKILL);
    _exit(99);
  }
  if (how == 2) {
    pthread_t thread;
    if (pthread_create(&thread, nullptr, ThreadInChild, &value) != 0) _exit(98);
    pthread_join(thread, nullptr);
    _exit(static_cast<int>(value % 120));
  }
  if (how == 3) {
    const pid_t grandchild = fork();
    if (grandchild == 0) _exit(static_cast<int>(Work(seed, 50000) % 100));
    _exit(static_cast<int>(StatusOf(grandchild)));
  }
  execl("/bin/sh", "sh", "-c", "exit 23", nullptr);
  _exit(97);
}

}  // namespace

uint64_t Fork(uint64_t seed) {
  Random random(seed);
  std::vector<pid_t> children;
  for (int i = random.From(1, 4); i > 0; i--) {
    const int how = static_cast<int>(random.Below(5));
    const uint64_t own = random.Next();
    const pid_t child = fork();
    if (child == 0) BeChild(own, how);
    children.push_back(child);
  }
  uint64_t sum = Work(seed, 100000);
  for (const pid_t child : children) sum = Mix(sum + StatusOf(child));
  return sum;
}

uint64_t ForkInRegion(uint64_t seed) {
  uint64_t sum = 0;
#pragma omp parallel for num_threads(3) schedule(dynamic, 1) reduction(+ : sum)
  for (int i = 0; i < 6; i++) {
    if (i % 3 == 0) {
      const pid_t child = fork();
      if (child == 0) _exit(static_cast<int>(Work(seed + static_cast<uint64_t>(i), 20000) % 100));
      sum += StatusOf(child);
    } else {
      sum += Work(seed + static_cast<uint64_t>(i), 60000);
    }
  }
  return sum;
}

uint64_t Spawn(uint64_t seed) {
  char shell[] = "sh", flag[] = "-c", command[] = "exit 31";
  char* arguments[] = {shell, flag, command, nullptr};
  pid_t child;
  if (posix_spawn(&child, "/bin/sh", nullptr, nullptr, arguments, environ) != 0) return 1;
  uint64_t sum = StatusOf(child);
  const pid_t other = vfork();
  if (other == 0) {
    execv("/bin/sh", arguments);
    _exit(96);
  }
  sum = sum * 100 + StatusOf(other);
  const int status = seed % 2 == 0 ? system("exit 7") : 7 << 8;
  return sum * 1000 + static_cast<uint64_t>(WEXITSTATUS(status));
}

void BlockTimer() {
  sigset_t alarm;
  sigemptyset(&alarm);
  sigaddset(&alarm, SIGALRM);
  pthread_sigmask(SIG_BLOCK, &alarm, nullptr);
}

// Signals that a thread sends itself are handled before raise returns.
uint64_t Raise(uint64_t seed) {
  Random random(seed);
  const int rounds = random.From(10, 400), size = random.From(1, 1000);
  Install(SIGUSR1, SA_RESTART);
  Install(SIGRTMIN + 5, SA_NODEFER);
  handled = 0;
#pragma omp parallel for num_threads(2)
  for (int i = 0; i < rounds; i++) {
    Work(seed, size);
    raise(i % 2 == 0 ? SIGUSR1 : SIGRTMIN + 5);
  }
  return handled;
}

// The result does not have the number of the timer's signals. It shows that work and reading go on beside them. All
// threads but the main one block the signal (BlockTimer): a thread that woke late would handle it in a later step.
uint64_t Timer(uint64_t seed) {
  Random random(seed);
  struct sigaction action = {};
  action.sa_handler = [](int) {};
  action.sa_flags = SA_RESTART;
  sigaction(SIGALRM, &action, nullptr);
  sigset_t alarm;
  sigemptyset(&alarm);
  sigaddset(&alarm, SIGALRM);
  pthread_sigmask(SIG_UNBLOCK, &alarm, nullptr);
  const itimerval interval = {{0, random.From(300, 3000)}, {0, 300}};
  setitimer(ITIMER_REAL, &interval, nullptr);
  int ends[2];
  if (pipe(ends) != 0) return 1;
  uint64_t sum = 0;
  for (int i = 0; i < 20; i++) {
    const uint64_t part = Work(seed + static_cast<uint64_t>(i), 30000);
    uint64_t back = 0;
    if (write(ends[1], &part, sizeof part) != sizeof part || read(ends[0], &back, sizeof back) != sizeof back) return 2;
    sum += back;
  }
  const itimerval off = {};
  setitimer(ITIMER_REAL, &off, nullptr);
  BlockTimer();
  close(ends[0]);
  close(ends[1]);
  return sum;
}

uint64_t Masked(uint64_t seed) {
  sigset_t all, before, after;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  uint64_t sum = Work(seed, 60000);
  pthread_sigmask(SIG_SETMASK, &before, &after);
  for (const int signal : {SIGUSR1, SIGUSR2, SIGALRM, SIGTERM, SIGCHLD})
    sum = sum * 4 + static_cast<uint64_t>(sigismember(&after, signal) * 2 + sigismember(&before, signal));
  return sum;
}

uint64_t Library(uint64_t seed) {
  Random random(seed);
  uint64_t sum = 0;
  for (int i = random.From(1, 4); i > 0; i--) {
    void* const handle = dlopen(library_path, random.Below(2) == 0 ? RTLD_NOW : RTLD_LAZY);
    if (handle == nullptr) abort();
    const auto run = reinterpret_cast<uint64_t (*)(uint64_t, int)>(dlsym(handle, "soak_library_run"));
    sum += run(random.Next(), random.From(10, 3000));
    dlclose(handle);
  }
  return sum;
}

// Sleeps that nothing may interrupt: no signal of the program's own is due.
uint64_t Sleeps(uint64_t seed) {
  Random random(seed);
  uint64_t interrupted = 0;
#pragma omp parallel for num_threads(3) schedule(static, 1) reduction(+ : interrupted)
  for (int i = 0; i < 3; i++) {
    if (i == 0) {
      Work(seed, 3000000);
    } else if (i == 1) {
      const timespec time = {0, 4000000};
      interrupted += nanosleep(&time, nullptr) != 0;
    } else {
      interrupted += poll(nullptr, 0, 4) != 0;
    }
  }
  return interrupted * 1000 + random.Below(1000);
}

// An alternate stack, handlers on it, and handlers that are put back.
uint64_t Handlers(uint64_t seed) {
  Random random(seed);
  std::vector<char> room(64 << 10);
  stack_t stack = {}, before = {};
  stack.ss_sp = room.data();
  stack.ss_size = room.size();
  sigaltstack(&stack, &before);
  Install(SIGUSR2, SA_ONSTACK | SA_RESTART);
  handled = 0;
  const int rounds = random.From(5, 200);
  for (int i = 0; i < rounds; i++) {
    raise(SIGUSR2);
    Work(seed, 500);
  }
  signal(SIGUSR2, SIG_IGN);
  raise(SIGUSR2);
  struct sigaction now = {};
  sigaction(SIGUSR2, nullptr, &now);
  stack.ss_flags = SS_DISABLE;
  sigaltstack(&stack, nullptr);
  return handled * 4 + (now.sa_handler == SIG_IGN ? 1 : 0) + ((before.ss_flags & SS_DISABLE) != 0 ? 2 : 0);
}

}  // namespace soak
