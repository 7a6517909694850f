// libhandler_clock.so, preloaded behind the collector, measures how long each run of the collector's signal handler
// takes. Its clock is the thread's CPU clock, so threads and processes that take the processor meanwhile do not count.
// At the process's end the library prints, on standard error:
//   handler_clock handled N over_100us N most_us N sum_us N noise N
// The kernel's count of a thread's time may have an interrupt's time in it, or time in which a virtual machine did not
// run. So after each run the library computes for as long: `noise` is how often that took over 100 us. The collector
// installs its handler by the next sigaction behind it, which is this library's. A runtime that is slow on purpose
// reports its own part of the time.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

#include <atomic>

namespace {

using Handler = void (*)(int, siginfo_t*, void*);
using Sigaction = int (*)(int, const struct sigaction*, struct sigaction*);

std::atomic<Handler> handler{nullptr};
std::atomic<uint64_t> handled{0}, over{0}, most_ns{0}, sum_ns{0}, noise{0};
uint64_t turns_per_us = 100;
double ns_per_tick = 0.4;
__thread uint64_t foreign_ticks __attribute__((tls_model("initial-exec"))) = 0;

uint64_t Now(clockid_t clock) {
  timespec now;
  syscall(SYS_clock_gettime, clock, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1000000000u + static_cast<uint64_t>(now.tv_nsec);
}

void Turn(uint64_t turns) {
  uint64_t x = 88172645463325252u;
  for (uint64_t i = 0; i < turns; ++i) {
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    asm volatile("" : "+r"(x));
  }
}

void Timed(int number, siginfo_t* info, void* context) {
  foreign_ticks = 0;
  const uint64_t begin = Now(CLOCK_THREAD_CPUTIME_ID);
  handler.load(std::memory_order_relaxed)(number, info, context);
  const uint64_t passed = Now(CLOCK_THREAD_CPUTIME_ID) - begin;
  const auto foreign = static_cast<uint64_t>(static_cast<double>(foreign_ticks) * ns_per_tick);
  const uint64_t own = passed > foreign ? passed - foreign : 0;
  handled.fetch_add(1, std::memory_order_relaxed);
  sum_ns.fetch_add(own, std::memory_order_relaxed);
  if (own > 100000) over.fetch_add(1, std::memory_order_relaxed);
  uint64_t most = most_ns.load(std::memory_order_relaxed);
  const uint64_t compared = own < 60000 ? own : 60000;
  const uint64_t turning = Now(CLOCK_THREAD_CPUTIME_ID);
  Turn(compared * turns_per_us / 1000);
  if (Now(CLOCK_THREAD_CPUTIME_ID) - turning > 100000) noise.fetch_add(1, std::memory_order_relaxed);
  while (own > most && !most_ns.compare_exchange_weak(most, own)) {
  }
}

__attribute__((constructor)) void Calibrate() {
  const uint64_t begin_ns = Now(CLOCK_MONOTONIC), begin = __rdtsc();
  uint64_t now_ns;
  while ((now_ns = Now(CLOCK_MONOTONIC)) < begin_ns + 5000000) {
  }
  for (int i = 0; i < 20; ++i) {
    constexpr uint64_t kTurns = 50000;
    const uint64_t from = Now(CLOCK_THREAD_CPUTIME_ID);
    Turn(kTurns);
    const uint64_t took = Now(CLOCK_THREAD_CPUTIME_ID) - from;
    if (took != 0 && kTurns * 1000 / took > turns_per_us) turns_per_us = kTurns * 1000 / took;
  }
  ns_per_tick = static_cast<double>(now_ns - begin_ns) / static_cast<double>(__rdtsc() - begin);
}

__attribute__((destructor)) void Print() {
  char line[200];
  const int size =
      snprintf(line, sizeof(line), "handler_clock handled %llu over_100us %llu most_us %llu sum_us %llu noise %llu\n",
               static_cast<unsigned long long>(handled.load()), static_cast<unsigned long long>(over.load()),
               static_cast<unsigned long long>(most_ns.load() / 1000),
               static_cast<unsigned long long>(sum_ns.load() / 1000), static_cast<unsigned long long>(noise.load()));
  syscall(SYS_write, 2, line, size);
}

}  // namespace

#define EXPORTED extern "C" __attribute__((visibility("default")))

// Ticks of the time stamp counter that the calling thread has spent outside the collector.
EXPORTED void handler_clock_foreign(uint64_t ticks) { foreign_ticks += ticks; }

EXPORTED int sigaction(int number, const struct sigaction* action, struct sigaction* before) {
  static const auto next = reinterpret_cast<Sigaction>(dlsym(RTLD_NEXT, "sigaction"));
  struct sigaction mine;
  if (action != nullptr && number == SIGPROF && (action->sa_flags & SA_SIGINFO) != 0) {
    handler.store(action->sa_sigaction);
    mine = *action;
    mine.sa_sigaction = Timed;
    action = &mine;
  }
  const int result = next(number, action, before);
  if (before != nullptr && (before->sa_flags & SA_SIGINFO) != 0 && before->sa_sigaction == Timed)
    before->sa_sigaction = handler.load();
  return result;
}
