// What a program may do and a profiler in the same process could disturb. Each mode prints what it found, and returns 0
// if nothing was disturbed.
//   host errno|passthrough|own_sigprof|sleeps|thread_storm|masked|masked_threads|alt_stack|small_stacks|unshare|setns
//   |unshare_pid [MS]
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <omp.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

#include "truth.h"

TRUTH_WORK(host_work)

static double ms;
static truth::Account in_threads("function", "host_work");

// Samples arrive between any two instructions: errno must keep the program's value.
static int Errno() {
  long spoilt = 0;
#pragma omp parallel num_threads(2) reduction(+ : spoilt)
  {
    const uint64_t start = truth::ClockNs(CLOCK_THREAD_CPUTIME_ID);
    while (static_cast<double>(truth::ClockNs(CLOCK_THREAD_CPUTIME_ID) - start) < ms * 1e6) {
      errno = 4242;
      host_work(100000);
      if (errno != 4242) spoilt++;
    }
  }
  printf("errno spoilt %ld\n", spoilt);
  return spoilt == 0 ? 0 : 1;
}

static int Passthrough() {
  char buffer[4096];
  ssize_t got;
  while ((got = read(STDIN_FILENO, buffer, sizeof buffer)) > 0) {
    if (write(STDOUT_FILENO, buffer, static_cast<size_t>(got)) != got) return 1;
  }
  return write(STDERR_FILENO, "to stderr\n", 10) == 10 ? 0 : 1;
}

static volatile sig_atomic_t own_signals;

// A program with an interval timer and a SIGPROF handler of its own keeps both.
static int OwnSigprof() {
  struct sigaction action = {}, before = {}, now = {};
  action.sa_handler = [](int) { own_signals = own_signals + 1; };
  action.sa_flags = SA_RESTART;
  sigaction(SIGPROF, &action, &before);
  sigaction(SIGPROF, nullptr, &now);
  const itimerval interval = {{0, 10000}, {0, 10000}};
  setitimer(ITIMER_PROF, &interval, nullptr);
  const uint64_t start = truth::ClockNs(CLOCK_THREAD_CPUTIME_ID);
  while (static_cast<double>(truth::ClockNs(CLOCK_THREAD_CPUTIME_ID) - start) < ms * 1e6) host_work(1000000);
  const itimerval off = {};
  setitimer(ITIMER_PROF, &off, nullptr);
  const long expected = static_cast<long>(ms / 10);
  printf("default before %d, own handler shown %d, enough signals %d, not too many %d\n", before.sa_handler == SIG_DFL,
         now.sa_handler == action.sa_handler, own_signals >= expected / 2, own_signals <= expected * 2 + 2);
  fprintf(stderr, "own signals %d of about %ld\n", static_cast<int>(own_signals), expected);
  return own_signals >= expected / 2 && own_signals <= expected * 2 + 2 ? 0 : 1;
}

static volatile bool sleepers_done;

static void* Burn(void*) {
  while (!sleepers_done) host_work(1000000);
  return nullptr;
}

// System calls that SA_RESTART does not restart, in a thread that sleeps beside a thread that works.
static int Sleeps() {
  pthread_t thread;
  pthread_create(&thread, nullptr, Burn, nullptr);
  long interrupted = 0;
  const int rounds = static_cast<int>(ms / 20);
  const int epoll = epoll_create1(0);
  const uint64_t start = truth::ClockNs(CLOCK_MONOTONIC);
  for (int i = 0; i < rounds; i++) {
    timespec five_ms = {0, 5000000};
    timeval five_ms_too = {0, 5000};
    epoll_event event;
    interrupted += nanosleep(&five_ms, nullptr) != 0 && errno == EINTR;
    interrupted += poll(nullptr, 0, 5) != 0 && errno == EINTR;
    interrupted += epoll_wait(epoll, &event, 1, 5) != 0 && errno == EINTR;
    interrupted += select(0, nullptr, nullptr, nullptr, &five_ms_too) != 0 && errno == EINTR;
  }
  const double slept_ms = static_cast<double>(truth::ClockNs(CLOCK_MONOTONIC) - start) / 1e6;
  sleepers_done = true;
  pthread_join(thread, nullptr);
  close(epoll);
  printf("interrupted %ld, slept all the time %d\n", interrupted, slept_ms >= rounds * 20);
  return interrupted == 0 && slept_ms >= rounds * 20 ? 0 : 1;
}

static pthread_barrier_t end_of_sleep;

// 400 threads that sleep, and one that works.
static int ManySleep() {
  constexpr unsigned kThreads = 400;
  static std::atomic<uint64_t> starts_ns{0};  // the sum
  const uint64_t program_ns = truth::ClockNs(CLOCK_MONOTONIC);
  pthread_barrier_init(&end_of_sleep, nullptr, kThreads + 1);
  for (unsigned i = 0; i < kThreads; i++) {
    pthread_t thread;
    const auto sleep = [](void*) -> void* {
      starts_ns += truth::ClockNs(CLOCK_MONOTONIC);
      return pthread_barrier_wait(&end_of_sleep), nullptr;
    };
    if (pthread_create(&thread, nullptr, sleep, nullptr) != 0 || pthread_detach(thread) != 0) return 1;
  }
  truth::ComputeFor(ms, host_work);
  pthread_barrier_wait(&end_of_sleep);
  const uint64_t end_ns = truth::ClockNs(CLOCK_MONOTONIC);
  const uint64_t lives_ns = kThreads * end_ns - starts_ns + (end_ns - program_ns);
  printf("truth wall lives %llu\n", static_cast<unsigned long long>(lives_ns));
  return 0;
}

// Thousands of short threads: the profiler must leave no timer, file or memory of theirs behind.
static int ThreadStorm() {
  const int rounds = static_cast<int>(ms / 4);
  for (int round = 0; round < rounds; round++) {
    pthread_t threads[4];
    for (pthread_t& thread : threads) {
      const int error = pthread_create(
          &thread, nullptr,
          [](void*) -> void* {
            const truth::Timed timed(in_threads);
            host_work(truth::Iterations(0.5));
            return nullptr;
          },
          nullptr);
      if (error != 0) {
        printf("thread %d: %s\n", round, strerror(error));
        return 1;
      }
    }
    for (pthread_t& thread : threads) pthread_join(thread, nullptr);
  }
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  printf("threads %d\npeak %ld KB\n", rounds * 4, usage.ru_maxrss);
  in_threads.Print();
  truth::PrintProcess();
  return 0;
}

// A thread that blocks all signals. No signal may kill it, and none may be pending that it did not ask for.
static int Masked() {
  sigset_t all, pending, now;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, nullptr);
  host_work(truth::Iterations(ms));
  pthread_sigmask(SIG_SETMASK, nullptr, &now);
  sigpending(&pending);
  int others = 0;
  for (int number = 1; number < SIGRTMIN; number++) others += number != SIGPROF && sigismember(&pending, number) == 1;
  printf("usr1 still blocked %d, other signals pending %d\n", sigismember(&now, SIGUSR1), others);
  return sigismember(&now, SIGUSR1) == 1 && others == 0 ? 0 : 1;
}

// Threads that are made with all signals blocked, as compressors make theirs. Timers that expire in vain must cost them
// nothing.
static int MaskedThreads() {
  constexpr int kThreads = 40;
  sigset_t all, before;
  sigfillset(&all);
  for (int i = 0; i < kThreads; i++) {
    pthread_t thread;
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int error = pthread_create(
        &thread, nullptr,
        [](void*) -> void* {
          const truth::Timed timed(in_threads);
          host_work(truth::Iterations(ms / kThreads));
          return nullptr;
        },
        nullptr);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    if (error != 0) {
      printf("thread %d: %s\n", i, strerror(error));
      return 1;
    }
    pthread_join(thread, nullptr);
  }
  in_threads.Print();
  return 0;
}

// Work on an alternate signal stack, small and far from the thread's own.
static int AltStack() {
  std::vector<char> memory(256 * 1024);
  const stack_t stack = {memory.data(), 0, memory.size()};
  sigaltstack(&stack, nullptr);
  struct sigaction action = {};
  action.sa_handler = [](int) { host_work(truth::Iterations(ms)); };
  action.sa_flags = SA_ONSTACK;
  sigaction(SIGUSR1, &action, nullptr);
  raise(SIGUSR1);
  stack_t now;
  sigaltstack(nullptr, &now);
  printf("stack kept %d\n", now.ss_sp == stack.ss_sp);
  // A handler with SA_ONSTACK would run on this stack, which is about to be freed.
  const stack_t none = {nullptr, SS_DISABLE, 0};
  sigaltstack(&none, nullptr);
  return now.ss_sp == stack.ss_sp ? 0 : 1;
}

// Calls function() with a frame whose CFA is in rbx, as in the loader's entry for lazy binding. Such a frame needs the
// most memory of a walk.
extern "C" void CallWithFrameInRbx(void (*function)());
__asm__(
    ".text\n"
    ".type CallWithFrameInRbx, @function\n"
    "CallWithFrameInRbx:\n"
    ".cfi_startproc\n"
    "push %rbx\n"
    ".cfi_adjust_cfa_offset 8\n"
    ".cfi_offset %rbx, -16\n"
    "mov %rsp, %rbx\n"
    ".cfi_def_cfa_register %rbx\n"
    "and $-16, %rsp\n"
    "call *%rdi\n"
    "mov %rbx, %rsp\n"
    ".cfi_def_cfa_register %rsp\n"
    "pop %rbx\n"
    ".cfi_adjust_cfa_offset -8\n"
    "ret\n"
    ".cfi_endproc\n"
    ".size CallWithFrameInRbx, .-CallWithFrameInRbx\n");

// Stacks with little room beside the kernel's own signal frame. SIGSTKSZ was 8 KiB before glibc 2.34. Many programs
// have such an alternate stack in static memory, with other variables below.
static int SmallStacks() {
  alignas(64) static unsigned char memory[64 * 1024];
  constexpr unsigned char kPattern = 0x5a;
  const size_t size = std::min<size_t>(8192, getauxval(AT_MINSIGSTKSZ) + 4096);
  unsigned char* const low = memory + sizeof memory - size;
  std::fill(memory, low, kPattern);
  const stack_t stack = {low, 0, size};
  sigaltstack(&stack, nullptr);
  CallWithFrameInRbx([] { host_work(truth::Iterations(ms)); });
  const stack_t none = {nullptr, SS_DISABLE, 0};
  sigaltstack(&none, nullptr);
  const long changed = (low - memory) - std::count(memory, low, kPattern);
  printf("below the stack changed %ld\n", changed);
  fflush(stdout);

  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, PTHREAD_STACK_MIN);
  pthread_t thread;
  const int error = pthread_create(
      &thread, &attributes,
      [](void*) -> void* {
        CallWithFrameInRbx([] {
          const uint64_t end = truth::ClockNs(CLOCK_THREAD_CPUTIME_ID) + static_cast<uint64_t>(ms * 1e6);
          char text[128];
          while (truth::ClockNs(CLOCK_THREAD_CPUTIME_ID) < end)
            snprintf(text, sizeof text, "%p %s %d", text, "text", 1);
        });
        return nullptr;
      },
      nullptr);
  pthread_attr_destroy(&attributes);
  if (error == 0) pthread_join(thread, nullptr);
  printf("thread %d\n", error);
  return changed == 0 && error == 0 ? 0 : 1;
}

static int CountDescriptors() {
  int count = 0;
  DIR* folder = opendir("/proc/self/fd");
  while (readdir(folder) != nullptr) count++;
  closedir(folder);
  return count;
}

static void TimedWork(double milliseconds) {
  const truth::Timed timed(in_threads);
  truth::ComputeFor(milliseconds, host_work);
}

// Calls that the kernel permits only to a process with one thread, with work before and after.
template <typename Call>
static int Alone(Call call) {
  TimedWork(ms / 2);
  const int before = CountDescriptors();
  errno = 4242;
  const int result = call();
  const int error = errno;
  const bool kept = CountDescriptors() == before;
  TimedWork(ms / 2);
  printf("result %d, errno %d, descriptors kept %d\n", result, error, kept);
  return 0;
}

static int Unshare() {
  const int result = Alone([] { return unshare(CLONE_NEWUSER); });
  in_threads.Print();
  return result;
}

static int EnterNamespace() {
  const int result = Alone([] {
    const int fd = open("/proc/self/ns/mnt", O_RDONLY);
    const int entered = setns(fd, CLONE_NEWNS);
    const int error = errno;
    close(fd);
    errno = error;
    return entered;
  });
  in_threads.Print();
  return result;
}

// After this call the process can have no further threads; its children can.
static int UnshareForChildren() {
  Alone([] { return unshare(CLONE_NEWUSER | CLONE_NEWPID); });
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    TimedWork(ms);
    exit(21);
  }
  int status = 0;
  waitpid(child, &status, 0);
  printf("child %d\n", WEXITSTATUS(status));
  return 0;
}

int main(int argc, char** argv) {
  static const struct {
    const char* name;
    int (*run)();
  } modes[] = {{"errno", Errno},
               {"passthrough", Passthrough},
               {"own_sigprof", OwnSigprof},
               {"sleeps", Sleeps},
               {"many_sleep", ManySleep},
               {"thread_storm", ThreadStorm},
               {"masked", Masked},
               {"masked_threads", MaskedThreads},
               {"alt_stack", AltStack},
               {"small_stacks", SmallStacks},
               {"unshare", Unshare},
               {"setns", EnterNamespace},
               {"unshare_pid", UnshareForChildren}};
  ms = static_cast<double>(truth::Argument(argc, argv, 2, 500));
  truth::Iterations(1);
  for (const auto& mode : modes) {
    if (argc > 1 && strcmp(argv[1], mode.name) == 0) return mode.run();
  }
  fprintf(stderr,
          "usage: host errno|passthrough|own_sigprof|sleeps|thread_storm|masked|masked_threads|alt_stack|small_stacks|"
          "unshare|setns|unshare_pid [MS]\n");
  return 2;
}
