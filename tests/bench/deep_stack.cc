#include "tests/bench/deep_stack.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <vector>

namespace ompprof::bench {
namespace {

constexpr size_t kColdBytes = 24 << 20;

// The benchmark that the stack's leaf or the handler runs. There is one at a time.
const std::function<void()>* g_at_leaf;
const std::function<void(ucontext_t*)>* g_in_handler;

void Handle(int, siginfo_t*, void* context) { (*g_in_handler)(static_cast<ucontext_t*>(context)); }

#define BENCH_STRING(x) #x
#define BENCH_NOPS(count) ".rept " BENCH_STRING(count) "\n\tnop\n\t.endr"

// Not raise(): the interrupted instruction must be here, with nops behind it.
__attribute__((always_inline)) inline void SignalThisThread() {
  static_assert(kLeafRoom == 64);
  long result = SYS_tgkill;
  asm volatile("syscall\n\t" BENCH_NOPS(64)
               : "+a"(result)
               : "D"(static_cast<long>(getpid())), "S"(syscall(SYS_gettid)), "d"(static_cast<long>(SIGUSR1))
               : "rcx", "r11", "memory");
}

template <int N>
__attribute__((noinline)) int Descend(volatile int* sink) {
  volatile char frame[8 + N % 13 * 16];
  frame[0] = static_cast<char>(N);
  if constexpr (N == 0) {
    if (g_in_handler != nullptr) {
      SignalThisThread();
    } else {
      (*g_at_leaf)();
    }
  } else {
    static_assert(kCallRoom == 8);
    const int below = Descend<N - 1>(sink);
    asm volatile(BENCH_NOPS(8)::: "memory");
    *sink += below;
  }
  return frame[0];
}

void Run(int descents) {
  volatile int sink = 0;
  switch (descents) {
    case 1:
      Descend<1>(&sink);
      return;
    case 12:
      Descend<12>(&sink);
      return;
    case 22:
      Descend<22>(&sink);
      return;
    case 25:
      Descend<25>(&sink);
      return;
    case 121:
      Descend<121>(&sink);
      return;
    default:
      fprintf(stderr, "deep_stack: %d descents: see kDescents\n", descents);
      abort();
  }
}

void* RunJob(void* job) {
  (*static_cast<const std::function<void()>*>(job))();
  return nullptr;
}

uint64_t ClockNs(clockid_t clock) {
  timespec now;
  clock_gettime(clock, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1000000000u + static_cast<uint64_t>(now.tv_nsec);
}

}  // namespace

void AtDepth(int descents, const std::function<void()>& job) {
  g_at_leaf = &job;
  g_in_handler = nullptr;
  Run(descents);
}

void InHandlerAt(int descents, const std::function<void(ucontext_t*)>& job) {
  g_in_handler = &job;
  struct sigaction action = {};
  action.sa_sigaction = Handle;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGUSR1, &action, nullptr);
  Run(descents);
  g_in_handler = nullptr;
}

void OnNewThread(const std::function<void()>& job) {
  pthread_t thread;
  if (pthread_create(&thread, nullptr, RunJob, const_cast<std::function<void()>*>(&job)) != 0) abort();
  pthread_join(thread, nullptr);
}

collect::StackBounds BoundsOfThisThread() {
  pthread_attr_t attributes;
  pthread_getattr_np(pthread_self(), &attributes);
  void* low;
  size_t size;
  pthread_attr_getstack(&attributes, &low, &size);
  pthread_attr_destroy(&attributes);
  const auto begin = reinterpret_cast<uintptr_t>(low);
  return {begin, begin + size};
}

uint64_t NowNs() { return ClockNs(CLOCK_MONOTONIC); }
uint64_t CpuNs() { return ClockNs(CLOCK_THREAD_CPUTIME_ID); }

void EvictCaches() {
  static std::vector<char> memory(kColdBytes);
  for (size_t i = 0; i < kColdBytes; i += 64) ++memory[i];
  asm volatile("" ::: "memory");
}

}  // namespace ompprof::bench
