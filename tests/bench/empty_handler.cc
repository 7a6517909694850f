// A profiler without samples. A timer interrupts each thread at random times, at libompprof.so's rate, and the handler
// counts the signals. A program's extra cost under it is the price of being interrupted. Unlike libompprof.so, it also
// wakes threads that sleep as often as others.
//
//   LD_PRELOAD=libempty_handler.so EMPTY_HANDLER_FREQUENCY=1000 PROGRAM
//
// Prints "empty_handler: N signals" on standard error at exit. For tests/bench/whole_program.py.
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>

namespace {

constexpr int kMaxThreads = 1024;
struct alignas(64) Counter {
  volatile uint64_t signals;
  uint64_t random;
  timer_t timer;
};
Counter g_counters[kMaxThreads];
std::atomic<int> g_threads{0};
__thread int this_thread __attribute__((tls_model("initial-exec")));
uint64_t g_period_ns;

// A time from nothing to twice the period.
bool ArmNext(Counter* counter) {
  counter->random ^= counter->random << 13;
  counter->random ^= counter->random >> 7;
  counter->random ^= counter->random << 17;
  const uint64_t ns = 1 + counter->random % (2 * g_period_ns);
  const itimerspec spec = {{0, 0}, {static_cast<time_t>(ns / 1000000000), static_cast<long>(ns % 1000000000)}};
  return timer_settime(counter->timer, 0, &spec, nullptr) == 0;
}

void Handle(int, siginfo_t*, void*) {
  Counter* counter = &g_counters[this_thread];
  counter->signals = counter->signals + 1;
  ArmNext(counter);
}

bool Arm(pid_t tid) {
  sigevent event;
  memset(&event, 0, sizeof(event));
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = SIGPROF;
  event._sigev_un._tid = tid;
  Counter* counter = &g_counters[this_thread];
  counter->random = static_cast<uint64_t>(tid);
  return timer_create(CLOCK_MONOTONIC, &event, &counter->timer) == 0 && ArmNext(counter);
}

void ArmThisThread() {
  this_thread = g_threads.fetch_add(1) % kMaxThreads;
  if (!Arm(static_cast<pid_t>(syscall(SYS_gettid)))) {
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
