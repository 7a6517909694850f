// Processes that start others, watch them, and end with them.
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "tests/faults/host.h"

extern "C" char** environ;

using faults::Expect;
using faults::total_ms;
using faults::WaitFor;
using faults::Work;

namespace {

// Children that live for a moment, twenty at a time.
int ForkStorm() {
  int right = 0;
  for (int round = 0; round < 15; round++) {
    pid_t children[20];
    for (pid_t& child : children) {
      child = fork();
      if (child == 0) _exit(41);
    }
    Work(total_ms / 15);
    for (const pid_t child : children) right += WaitFor(child) == 41;
  }
  errno = 0;
  printf("right %d, others %d, error %d\n", right, waitpid(-1, nullptr, WNOHANG), errno);
  return 0;
}

void Count(int iterations) {
  for (volatile int i = 0; i < iterations;) i = i + 1;
}

// Forks while other threads end that have used OpenMP. The child finds their stacks, with old frames on them.
int ForkBesideEndingRoots() {
  int right = 0;
  for (int round = 0; round < 75; round++) {
    std::atomic<int> left{4};
    for (int i = 0; i < 4; i++) {
      std::thread([&left, round, i] {
#pragma omp parallel num_threads(1)
        Count(1000 * ((7 * round + 3 * i) % 20));
        --left;
      }).detach();
    }
    while (left > 0) usleep(100);
    pid_t children[3];
    for (pid_t& child : children) {
      child = fork();
      if (child != 0) continue;
      std::thread([] { Count(10000); }).join();
      _exit(43);
    }
    for (const pid_t child : children) right += WaitFor(child) == 43;
  }
  printf("right %d\n", right);
  return 0;
}

int VforkStorm() {
  int right = 0;
  for (int i = 0; i < 50; i++) {
    const pid_t child = vfork();
    if (child == 0) {
      execl("/bin/true", "true", nullptr);
      _exit(127);
    }
    right += WaitFor(child) == 0;
    Work(total_ms / 20);
  }
  printf("right %d\n", right);
  return 0;
}

int VforkThenExit() {
  int right = 0;
  static int shared;
  for (int i = 0; i < 200; i++) {
    const pid_t child = vfork();
    if (child == 0) {
      shared++;
      _exit(42);
    }
    right += WaitFor(child) == 42;
    if (i % 10 == 0) Work(total_ms / 20);
  }
  printf("right %d, shared %d\n", right, shared);
  return 0;
}

int SpawnStorm() {
  int right = 0;
  posix_spawnattr_t attributes;
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  for (int i = 0; i < 50; i++) {
    char* arguments[] = {const_cast<char*>("true"), nullptr};
    pid_t child;
    right += posix_spawnp(&child, "true", nullptr, &attributes, arguments, environ) == 0 && WaitFor(child) == 0;
    Work(total_ms / 20);
  }
  printf("right %d\n", right);
  return 0;
}

int ExecInAThread() {
  Work(total_ms / 2);
  std::thread([] {
    execl("/proc/self/exe", "processes", "end", "150", nullptr);
    _exit(127);
  }).join();
  return 1;
}

int End() {
  Work(total_ms);
  printf("ended\n");
  return 43;
}

void Append(const char* text) {
  const int file = open("diary", O_WRONLY | O_CREAT | O_APPEND, 0600);
  Expect(write(file, text, strlen(text)) > 0, "diary");
  close(file);
}

// Works on in the background after its parent has gone.
int Daemon() {
  Work(total_ms / 2);
  if (daemon(1, 0) != 0) return 1;
  Work(total_ms / 2);
  Append("the daemon has worked\n");
  return 44;
}

int DaemonAtRoot() {
  Work(total_ms / 2);
  const int here = open(".", O_RDONLY);
  if (daemon(0, 0) != 0) return 1;
  Work(total_ms / 2);
  if (fchdir(here) != 0) return 1;
  Append("the daemon has worked elsewhere\n");
  return 44;
}

int DoubleFork() {
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    setsid();
    if (fork() != 0) _exit(45);
    Work(total_ms / 2);
    Append(getppid() != 0 ? "the grandchild has worked\n" : "");
    _exit(0);
  }
  printf("child %d\n", WaitFor(child));
  Work(total_ms / 2);
  return 0;
}

// A tracer that hands every signal on, as debuggers do, and counts the breakpoints.
int Traced() {
  const pid_t child = fork();
  if (child == 0) {
    ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
    raise(SIGSTOP);
    for (int i = 0; i < 10; i++) {
      Work(total_ms / 10);
      __asm__ volatile("int3");
    }
    _exit(46);
  }
  int status = 0, breakpoints = 0;
  waitpid(child, &status, 0);
  ptrace(PTRACE_CONT, child, nullptr, nullptr);
  while (waitpid(child, &status, 0) == child && WIFSTOPPED(status)) {
    const bool breakpoint = WSTOPSIG(status) == SIGTRAP;
    breakpoints += breakpoint;
    ptrace(PTRACE_CONT, child, nullptr, breakpoint ? 0L : static_cast<long>(WSTOPSIG(status)));
  }
  printf("breakpoints %d, child %d\n", breakpoints, WEXITSTATUS(status));
  return 0;
}

// One instruction at a time.
int SingleStepped() {
  const pid_t child = fork();
  if (child == 0) {
    ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
    raise(SIGSTOP);
    fault_work(1000);
    _exit(47);
  }
  int status = 0;
  long steps = 0, signal = 0;
  waitpid(child, &status, 0);
  while (WIFSTOPPED(status)) {
    signal = WSTOPSIG(status) == SIGTRAP || WSTOPSIG(status) == SIGSTOP ? 0 : WSTOPSIG(status);
    ptrace(PTRACE_SINGLESTEP, child, nullptr, signal);
    steps++;
    if (waitpid(child, &status, 0) != child) break;
  }
  printf("many steps %d, child %d\n", steps > 6000, WEXITSTATUS(status));
  Work(total_ms / 2);
  return 0;
}

int StoppedAndContinued() {
  const pid_t child = fork();
  if (child == 0) {
    Work(total_ms);
    _exit(48);
  }
  int stops = 0, continues = 0;
  for (int i = 0; i < 20; i++) {
    int status;
    kill(child, SIGSTOP);
    waitpid(child, &status, WUNTRACED);
    stops += WIFSTOPPED(status) && WSTOPSIG(status) == SIGSTOP;
    usleep(2000);
    kill(child, SIGCONT);
    waitpid(child, &status, WCONTINUED);
    continues += WIFCONTINUED(status);
  }
  printf("stops %d, continues %d, child %d\n", stops, continues, WaitFor(child));
  return 0;
}

std::atomic<int> forked;

int ForkInAHandler() {
  signal(SIGALRM, [](int) {
    const pid_t child = fork();
    if (child == 0) _exit(49);
    forked += WaitFor(child) == 49;
  });
  for (int i = 0; i < 20; i++) {
    Work(total_ms / 20);
    raise(SIGALRM);
  }
  printf("forked %d\n", forked.load());
  return 0;
}

// Forks while another thread allocates and prints: the child inherits locks in any state.
int ForkInAThread() {
  std::atomic<bool> over{false};
  std::thread other([&over] {
    while (!over.load()) std::vector<int>(1000).swap(*new std::vector<int>);
  });
  std::thread([] {
    for (int i = 0; i < 40; i++) {
      const pid_t child = fork();
      if (child == 0) {
        free(malloc(1000));
        _exit(50);
      }
      forked += WaitFor(child) == 50;
    }
  }).join();
  over = true;
  other.join();
  printf("forked %d\n", forked.load());
  return 0;
}

std::string calls;

int AtForkHandlers() {
  pthread_atfork([] { calls += "prepare "; }, [] { calls += "parent "; }, [] { calls += "child "; });
  Work(total_ms / 2);
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    Work(total_ms / 2);
    printf("%s\n", calls.c_str());
    exit(51);
  }
  printf("child %d\n", WaitFor(child));
  printf("%s\n", calls.c_str());
  return 0;
}

// Forks past libc: neither handlers nor caches of the collector notice.
int BareFork() {
  Work(total_ms / 3);
  fflush(stdout);
  const pid_t child = static_cast<pid_t>(syscall(SYS_fork));
  if (child == 0) {
    Work(total_ms / 3);
    _exit(52);
  }
  printf("child %d\n", WaitFor(child));
  Work(total_ms / 3);
  return 0;
}

int DeepFamily() {
  int depth = 0;
  pid_t child = 0;
  while (depth < 12 && (child = fork()) == 0) {
    depth++;
    Work(total_ms / 24);
  }
  if (depth == 12) _exit(60);
  const int answer = WaitFor(child);
  if (depth > 0) _exit(answer);
  printf("answer %d\n", answer);
  Work(total_ms / 2);
  return 0;
}

int WholeGroupTerminated() {
  signal(SIGTERM, [](int) { forked++; });
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGTERM, SIG_DFL);
    for (;;) fault_work(100000);
  }
  Work(total_ms);
  kill(0, SIGTERM);
  const int answer = WaitFor(child);
  printf("child %d, signals %d\n", answer, forked.load());
  return 0;
}

int ParentDies() {
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    const pid_t parent = getpid();
    if (fork() == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (getppid() != parent) _exit(0);
      for (;;) fault_work(100000);
    }
    Work(total_ms / 2);
    _exit(54);
  }
  printf("child %d\n", WaitFor(child));
  Work(total_ms / 2);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  static const faults::Mode modes[] = {{"fork_storm", ForkStorm},
                                       {"fork_beside_ending_roots", ForkBesideEndingRoots},
                                       {"vfork_storm", VforkStorm},
                                       {"vfork_then_exit", VforkThenExit},
                                       {"spawn_storm", SpawnStorm},
                                       {"exec_in_a_thread", ExecInAThread},
                                       {"end", End},
                                       {"daemon", Daemon},
                                       {"daemon_at_root", DaemonAtRoot},
                                       {"double_fork", DoubleFork},
                                       {"traced", Traced},
                                       {"single_stepped", SingleStepped},
                                       {"stopped_and_continued", StoppedAndContinued},
                                       {"fork_in_a_handler", ForkInAHandler},
                                       {"fork_in_a_thread", ForkInAThread},
                                       {"atfork_handlers", AtForkHandlers},
                                       {"bare_fork", BareFork},
                                       {"deep_family", DeepFamily},
                                       {"whole_group_terminated", WholeGroupTerminated},
                                       {"parent_dies", ParentDies}};
  return faults::Run(argc, argv, modes);
}
