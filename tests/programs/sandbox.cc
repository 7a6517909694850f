// Works, gives up system calls in the way that MODE names, works again, and ends with 36. After the first work any call
// that the program does not make itself ends the process.
//   sandbox MODE
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <new>
#include <vector>

// Spins by a count, not by a clock: reading a clock may be a system call.
__attribute__((noinline)) static void Spin(long count) {
  for (volatile long i = 0; i < count; i = i + 1) {
  }
}
constexpr double kWorkMs = 60;
static long count_of_work;

extern "C" {
__attribute__((noinline)) void sandbox_before() { Spin(count_of_work); }
__attribute__((noinline)) void sandbox_after() { Spin(count_of_work); }
}

static double CpuMs() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

// The quickest of several measurements: a processor that the machine shares can be away within one, and work that is
// too short has no sample.
static void Calibrate() {
  constexpr long kCount = 2000000;
  double quickest_ms = 1e9;
  for (int time = 0; time < 8; time++) {
    const double begin = CpuMs();
    Spin(kCount);
    quickest_ms = std::min(quickest_ms, CpuMs() - begin);
  }
  count_of_work = static_cast<long>(kWorkMs * kCount / quickest_ms);
}

static void Say(const char* text) {
  if (write(1, text, strlen(text)) < 0) _exit(1);
}

// The calls of a program that computes and ends. Then further calls: of threads that wait and end, of threads that
// begin, and of processes likewise.
static const std::vector<int> kEnd = {SYS_write, SYS_exit, SYS_exit_group};
static const std::vector<int> kThreadsEnd = {SYS_futex, SYS_madvise, SYS_munmap, SYS_rt_sigprocmask};
static const std::vector<int> kThreadsBegin = {SYS_clone3,          SYS_clone,        SYS_mmap, SYS_mprotect, SYS_rseq,
                                               SYS_set_robust_list, SYS_rt_sigaction, SYS_brk,  SYS_getrandom};
static const std::vector<int> kFork = {SYS_clone, SYS_set_robust_list, SYS_wait4};
static const std::vector<int> kExec = {SYS_execve,    SYS_brk,    SYS_mmap,       SYS_mprotect,  SYS_munmap,
                                       SYS_openat,    SYS_read,   SYS_pread64,    SYS_close,     SYS_newfstatat,
                                       SYS_fstat,     SYS_access, SYS_arch_prctl, SYS_prlimit64, SYS_set_tid_address,
                                       SYS_getrandom, SYS_futex,  SYS_rseq,       SYS_readlink,  SYS_set_robust_list};
static const std::vector<int> kSpawn = {SYS_clone3,         SYS_clone,        SYS_vfork,
                                        SYS_rt_sigprocmask, SYS_rt_sigaction, SYS_wait4};

// A filter that kills the process at any call but these.
static sock_filter program[128];
static sock_fprog Filter(const std::vector<std::vector<int>>& lists) {
  unsigned short size = 0;
  program[size++] = BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr));
  for (const auto& list : lists) {
    for (const int number : list) {
      program[size++] = BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<unsigned>(number), 0, 1);
      program[size++] = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    }
  }
  program[size++] = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
  return {size, program};
}

static void Install(const std::vector<std::vector<int>>& lists) {
  const sock_fprog filter = Filter(lists);
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0) _exit(3);
}

// Installs the filter for all threads of the process.
static void InstallForAll(const std::vector<std::vector<int>>& lists) {
  const sock_fprog filter = Filter(lists);
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &filter) != 0)
    _exit(3);
}

static void BeStrict() {
  if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) != 0) _exit(3);
}

// Strict mode does not allow exit_group.
static void WorkThenExit(int status) {
  sandbox_after();
  Say("after\n");
  syscall(SYS_exit, status);
}

static int Wait(pid_t child) {
  int status = 0;
  if (waitpid(child, &status, 0) != child) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static std::atomic<bool> installed{false};
static std::atomic<size_t> begun{0};  // early threads that make no more of the calls with which libc begins a thread
static sem_t go;

static void* WorkUntilInstalled(void*) {
  begun++;
  while (!installed.load()) Spin(1000);
  sandbox_after();
  return nullptr;
}

// The processors of this thread become the first one that it may use, or all others.
static void Move(bool to_first) {
  cpu_set_t all, some;
  sched_getaffinity(0, sizeof all, &all);
  int first = 0;
  while (!CPU_ISSET(first, &all)) first++;
  CPU_ZERO(&some);
  for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
    if (CPU_ISSET(cpu, &all) && (cpu == first) == to_first) CPU_SET(cpu, &some);
  }
  if (CPU_COUNT(&some) != 0) sched_setaffinity(0, sizeof some, &some);
}

static void* WorkStarved(void*) {
  Move(/*to_first=*/true);
  setpriority(PRIO_PROCESS, static_cast<id_t>(syscall(SYS_gettid)), 19);
  return WorkUntilInstalled(nullptr);
}

static void* WaitThenWork(void*) {
  begun++;
  while (sem_wait(&go) != 0) {
  }
  sandbox_after();
  return nullptr;
}

static void* WorkAfter(void*) {
  sandbox_after();
  return nullptr;
}

static void* BeStrictInThread(void*) {
  BeStrict();
  WorkThenExit(0);
  return nullptr;
}

static std::vector<pthread_t> Begin(void* (*routine)(void*), int count) {
  std::vector<pthread_t> threads(static_cast<size_t>(count));
  for (pthread_t& thread : threads) pthread_create(&thread, nullptr, routine, nullptr);
  return threads;
}

static void Join(const std::vector<pthread_t>& threads) {
  for (const pthread_t thread : threads) pthread_join(thread, nullptr);
}

static char after_mode[] = "only_after";
static char* after_arguments[] = {const_cast<char*>("sandbox"), after_mode, nullptr};

// Programs ask the kernel these questions to learn what it supports. Nothing is installed.
static int Probe() {
  const long results[] = {
      prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, nullptr),
      errno,
      syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, nullptr),
      errno,
      prctl(PR_SET_SECCOMP, 17, nullptr),
      errno,
      prctl(PR_GET_SECCOMP),
  };
  for (const long result : results) printf("%ld ", result);
  printf("\n");
  sandbox_after();
  return 36;
}

static char stack[65536] __attribute__((aligned(16)));
static void InClone() {
  syscall(SYS_exit, 17);  // no caller is below on this stack
}

// Calls that pass through syscall() as through libc's function.
static int Calls() {
  errno = 4242;
  const long good = syscall(SYS_getppid);
  const bool kept = errno == 4242;
  const long bad = syscall(SYS_close, -1);
  const bool set = bad == -1 && errno == EBADF;
  // A call with all six arguments.
  char name[] = "/tmp/sandbox.XXXXXX";
  const int file = mkstemp(name);
  unlink(name);
  if (ftruncate(file, 8192) != 0 || pwrite(file, "x", 1, 4096) != 1) return 1;
  const long page = syscall(SYS_mmap, 0L, 4096L, 1L /*PROT_READ*/, 2L /*MAP_PRIVATE*/, static_cast<long>(file), 4096L);
  const bool mapped = page > 0 && *reinterpret_cast<const char*>(page) == 'x';
  // A child on another stack. The call returns in the child to the address on top of that stack.
  void (**top)() = reinterpret_cast<void (**)()>(stack + sizeof stack - 64);
  *top = InClone;
  const long child = syscall(SYS_clone, SIGCHLD, top, 0L, 0L, 0L);
  const int status = Wait(static_cast<pid_t>(child));
  char was[16] = "", now[16] = "";
  prctl(PR_GET_NAME, was);
  prctl(PR_SET_NAME, "other", 0, 0, 0);
  syscall(SYS_prctl, PR_GET_NAME, now);
  printf("parent %d, errno kept %d, set %d, mapped %d, child %d, names %s %s\n", good == getppid(), kept, set, mapped,
         status, was, now);
  sandbox_after();
  return 36;
}

static int Strict() {
  BeStrict();
  WorkThenExit(36);
  return 2;
}

static int StrictBySyscall() {
  if (syscall(SYS_seccomp, SECCOMP_SET_MODE_STRICT, 0, nullptr) != 0) return 3;
  WorkThenExit(36);
  return 2;
}

static int StrictInThread() {
  Join(Begin(BeStrictInThread, 1));
  sandbox_after();
  return 36;
}

// Prints the text if the child ended with the expected status.
static void SayIf(pid_t child, int expected, const char* text) {
  if (Wait(child) == expected) Say(text);
}

static int StrictInChild() {
  const pid_t child = fork();
  if (child == 0) {
    sandbox_before();
    BeStrict();
    WorkThenExit(21);
  }
  SayIf(child, 21, "child 21\n");
  return 36;
}

static int FilterOnce() {
  Install({kEnd});
  sandbox_after();
  return 36;
}

static int FilterThenFilter() {
  Install({kEnd, {SYS_prctl}});
  Install({kEnd});
  sandbox_after();
  _exit(36);
}

static int FilterBySyscallPrctl() {
  const sock_fprog filter = Filter({kEnd});
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (syscall(SYS_prctl, PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0) return 3;
  sandbox_after();
  return 36;
}

// Threads that a mode begins before its filter.
static std::vector<pthread_t> early_threads;

static int FilterAll() {
  InstallForAll({kEnd, kThreadsEnd});
  installed = true;
  for (size_t i = 0; i < early_threads.size(); i++) sem_post(&go);
  sandbox_after();
  Join(early_threads);
  return 36;
}

// The early threads get a processor seldom: they share it with a child that has the usual priority. The filter comes
// after they have worked for a while.
static int FilterAllStarved() {
  void* shared = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  auto* const over = new (shared) std::atomic<bool>;
  if (fork() == 0) {
    Move(/*to_first=*/true);
    for (long i = 0; i < 10000 && !over->load(); i++) Spin(1000000);
    _exit(0);
  }
  Move(/*to_first=*/false);
  sandbox_before();
  InstallForAll({kEnd, kThreadsEnd});
  over->store(true);
  installed = true;
  Join(early_threads);
  return 36;
}

static int FilterThenThreads() {
  Install({kEnd, kThreadsEnd, kThreadsBegin});
  Join(Begin(WorkAfter, 2));
  return 36;
}

static int FilterThenFork() {
  Install({kEnd, kFork});
  const pid_t child = fork();
  if (child == 0) {
    sandbox_after();
    exit(21);
  }
  SayIf(child, 21, "child 21\n");
  return 36;
}

static int FilterThenExec() {
  Install({kEnd, kExec});
  execv("/proc/self/exe", after_arguments);
  return 1;
}

static int FilterThenSpawn() {
  Install({kEnd, kExec, kSpawn});
  pid_t child;
  if (posix_spawn(&child, "/proc/self/exe", nullptr, nullptr, after_arguments, environ) != 0) return 1;
  SayIf(child, 35, "child 35\n");
  return 36;
}

static int ForkThenFilterExec() {
  const pid_t child = fork();
  if (child == 0) {
    Install({kEnd, kExec});
    execvp("/proc/self/exe", after_arguments);
    _exit(1);
  }
  SayIf(child, 35, "child 35\n");
  sandbox_after();
  return 36;
}

static int VforkThenFilterExec() {
  const sock_fprog filter = Filter({kEnd, kExec});
  const pid_t child = vfork();
  if (child == 0) {
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
    execl("/proc/self/exe", "sandbox", after_mode, nullptr);
    _exit(1);
  }
  SayIf(child, 35, "child 35\n");
  sandbox_after();
  return 36;
}

static int VforkThenFilterExit() {
  const sock_fprog filter = Filter({kEnd});
  const pid_t child = vfork();
  if (child == 0) {
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
    _exit(21);
  }
  SayIf(child, 21, "child 21\n");
  sandbox_after();
  return 36;
}

struct Mode {
  const char* name;
  int (*run)();                            // the status that main returns, if it returns
  void* (*early_thread)(void*) = nullptr;  // routine of two threads that begin before the filter
};

static constexpr Mode kModes[] = {
    {"strict", Strict},
    {"strict_by_syscall", StrictBySyscall},
    {"strict_in_thread", StrictInThread},
    {"strict_in_child", StrictInChild},
    {"filter", FilterOnce},
    {"filter_then_filter", FilterThenFilter},
    {"filter_by_syscall_prctl", FilterBySyscallPrctl},
    {"filter_all_busy", FilterAll, WorkUntilInstalled},
    {"filter_all_idle", FilterAll, WaitThenWork},
    {"filter_all_starved", FilterAllStarved, WorkStarved},
    {"filter_then_threads", FilterThenThreads},
    {"filter_then_fork", FilterThenFork},
    {"filter_then_exec", FilterThenExec},
    {"filter_then_spawn", FilterThenSpawn},
    {"fork_then_filter_exec", ForkThenFilterExec},
    {"vfork_then_filter_exec", VforkThenFilterExec},
    {"vfork_then_filter_exit", VforkThenFilterExit},
    {"probe", Probe},
    {"calls", Calls},
};

int main(int argc, char** argv) {
  const char* name = argc > 1 ? argv[1] : "";
  if (strcmp(name, after_mode) == 0) {
    Say(getenv("LD_PRELOAD") != nullptr ? "preloaded\n" : "not preloaded\n");
    _exit(35);
  }
  for (const Mode& mode : kModes) {
    if (strcmp(name, mode.name) != 0) continue;
    Calibrate();
    sem_init(&go, 0, 0);
    if (mode.early_thread != nullptr) early_threads = Begin(mode.early_thread, 2);
    while (begun < early_threads.size()) sched_yield();
    sandbox_before();
    Say("before\n");
    return mode.run();
  }
  return 2;
}
