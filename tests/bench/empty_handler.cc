// A profiler without samples. It arms libompprof.so's source of signals at libompprof.so's rate, and its handler counts
// the signals. A program's extra cost under it is the price of being interrupted: no sampling profiler costs less.
//
//   LD_PRELOAD=libempty_handler.so EMPTY_HANDLER_FREQUENCY=1000 PROGRAM
//
// Prints "empty_handler: N signals" on standard error at exit. For tests/bench/whole_program.py.
#include <dlfcn.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>

namespace {

constexpr int kMaxThreads = 1024;
struct alignas(64) Counter {
  volatile uint64_t signals;
};
Counter g_counters[kMaxThreads];
std::atomic<int> g_threads{0};
__thread int this_thread __attribute__((tls_model("initial-exec")));
uint64_t g_period_ns;

void Handle(int, siginfo_t*, void*) { g_counters[this_thread].signals = g_counters[this_thread].signals + 1; }

// Above the kernel's tick a CPU timer does not deliver, so there the collector takes perf's task-clock.
bool CpuTimerDelivers() {
  timespec tick;
  return clock_getres(CLOCK_MONOTONIC_COARSE, &tick) == 0 && g_period_ns >= static_cast<uint64_t>(tick.tv_nsec);
}

bool ArmCpuTimer(pid_t tid) {
  sigevent event;
  memset(&event, 0, sizeof(event));
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = SIGPROF;
  event._sigev_un._tid = tid;
  timer_t timer;
  if (timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer) != 0) return false;
  const timespec period = {static_cast<time_t>(g_period_ns / 1000000000), static_cast<long>(g_period_ns % 1000000000)};
  const itimerspec spec = {period, period};
  return timer_settime(timer, 0, &spec, nullptr) == 0;
}

bool ArmTaskClock(pid_t tid) {
  perf_event_attr attributes;
  memset(&attributes, 0, sizeof(attributes));
  attributes.size = sizeof(attributes);
  attributes.type = PERF_TYPE_SOFTWARE;
  attributes.config = PERF_COUNT_SW_TASK_CLOCK;
  attributes.sample_period = g_period_ns;
  attributes.disabled = 1;
  attributes.exclude_kernel = 1;
  attributes.exclude_hv = 1;
  attributes.wakeup_events = 1;
  const int fd = static_cast<int>(syscall(SYS_perf_event_open, &attributes, tid, -1, -1, PERF_FLAG_FD_CLOEXEC));
  if (fd < 0) return false;
  const f_owner_ex owner{F_OWNER_TID, tid};
  return fcntl(fd, F_SETFL, O_ASYNC | O_NONBLOCK) == 0 && fcntl(fd, F_SETSIG, SIGPROF) == 0 &&
         fcntl(fd, F_SETOWN_EX, &owner) == 0 && ioctl(fd, PERF_EVENT_IOC_ENABLE, 0) == 0;
}

void ArmThisThread() {
  this_thread = g_threads.fetch_add(1) % kMaxThreads;
  const auto tid = static_cast<pid_t>(syscall(SYS_gettid));
  if (!(CpuTimerDelivers() ? ArmCpuTimer(tid) : ArmTaskClock(tid))) {
    static const char kFailed[] = "empty_handler: a thread could not be armed\n";
    if (write(2, kFailed, sizeof(kFailed) - 1) < 0) return;
  }
}

struct Start {
  void* (*routine)(void*);
  void* argument;
};

void* RunThread(void* pointer) {
  const Start start = *static_cast<Start*>(pointer);
  delete static_cast<Start*>(pointer);
  ArmThisThread();
  return start.routine(start.argument);
}

__attribute__((constructor)) void Begin() {
  const char* frequency = getenv("EMPTY_HANDLER_FREQUENCY");
  if (frequency == nullptr || atoi(frequency) <= 0) return;
  g_period_ns = 1000000000u / static_cast<uint64_t>(atoi(frequency));
  struct sigaction action = {};
  action.sa_sigaction = Handle;
  action.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
  sigfillset(&action.sa_mask);
  sigaction(SIGPROF, &action, nullptr);
  ArmThisThread();
}

__attribute__((destructor)) void End() {
  if (g_period_ns == 0) return;
  uint64_t signals = 0;
  for (const Counter& counter : g_counters) signals += counter.signals;
  fprintf(stderr, "empty_handler: %llu signals\n", static_cast<unsigned long long>(signals));
}

}  // namespace

extern "C" __attribute__((visibility("default"))) int pthread_create(pthread_t* thread,
                                                                     const pthread_attr_t* attributes,
                                                                     void* (*routine)(void*), void* argument) {
  static const auto real = reinterpret_cast<decltype(&pthread_create)>(dlsym(RTLD_NEXT, "pthread_create"));
  if (g_period_ns == 0) return real(thread, attributes, routine, argument);
  return real(thread, attributes, RunThread, new Start{routine, argument});
}
