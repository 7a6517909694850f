/* truth.h for programs in C. What the lines mean is told there. */
#ifndef OMPPROF_TESTS_PROGRAMS_TRUTH_C_H_
#define OMPPROF_TESTS_PROGRAMS_TRUTH_C_H_

#define _GNU_SOURCE
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* A sum that any thread adds to. */
struct account {
  const char* kind;
  const char* name;
  _Atomic uint64_t ns;
};

static inline uint64_t truth_clock_ns(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* The calling thread's CPU time. */
static inline uint64_t truth_thread_ns(void) { return truth_clock_ns(CLOCK_THREAD_CPUTIME_ID); }

/* The process's CPU time when the program's own code begins. */
static uint64_t truth_begin_ns;
__attribute__((constructor)) static void truth_begin(void) {
  truth_begin_ns = truth_clock_ns(CLOCK_PROCESS_CPUTIME_ID);
}

/* Adds the CPU time that the thread has spent since `start`. */
static inline void truth_add_since(struct account* account, uint64_t start) {
  atomic_fetch_add_explicit(&account->ns, truth_thread_ns() - start, memory_order_relaxed);
}

static inline void truth_print(struct account* account) {
  printf("truth %s %s cpu_ns %llu\n", account->kind, account->name, (unsigned long long)atomic_load(&account->ns));
}

static inline void truth_print_process(void) {
  const uint64_t ns = truth_clock_ns(CLOCK_PROCESS_CPUTIME_ID) - truth_begin_ns;
  printf("truth process cpu_ns %llu\n", (unsigned long long)ns);
}

static inline double truth_argument(int argc, char** argv, int index, double fallback) {
  return argc > index ? strtod(argv[index], NULL) : fallback;
}

#define TRUTH_NO_TAIL_CALL() __asm__ volatile("" ::: "memory")

#ifdef __clang__
#define TRUTH_FUNCTION __attribute__((noinline))
#else
#define TRUTH_FUNCTION __attribute__((noipa))
#endif

/* Defines uint64_t NAME(uint64_t iterations): pure computation, no call, no memory. */
#define TRUTH_WORK(name)                              \
  TRUTH_FUNCTION uint64_t name(uint64_t iterations) { \
    uint64_t x = 88172645463325252u + __LINE__;       \
    for (uint64_t i = 0; i < iterations; i++) {       \
      x ^= x << 13;                                   \
      x ^= x >> 7;                                    \
      x ^= x << 17;                                   \
      __asm__ volatile("" : "+r"(x));                 \
    }                                                 \
    return x;                                         \
  }

TRUTH_WORK(truth_calibration)

/* How many iterations take about `ms` of CPU time here. To be called once before any thread but the first. */
static inline uint64_t truth_iterations(double ms) {
  static double per_ms;
  if (per_ms == 0) {
    const uint64_t iterations = 4000000;
    const uint64_t start = truth_thread_ns();
    truth_calibration(iterations);
    per_ms = (double)iterations * 1e6 / (double)(truth_thread_ns() - start + 1);
  }
  return (uint64_t)(ms * per_ms);
}

#endif /* OMPPROF_TESTS_PROGRAMS_TRUTH_C_H_ */
