// The parts of a known-answer program: work under a name of its own, and the truth about how much work was done.
//
// A program measures each piece of its work with the thread's own CPU clock, and prints the sums at its end:
//   truth function NAME cpu_ns N        CPU time spent in the function and what it calls
//   truth path A;B;C cpu_ns N           CPU time with these functions on the stack, in this order, others between them
//   truth line FUNCTION LINE cpu_ns N   CPU time under the call on that line of FUNCTION
//   truth state NAME cpu_ns N           CPU time in a kind of waiting
//   truth process cpu_ns N              all of it since the program's own code began, helper threads included. The
//   clock
//                                       of the process also has the time of the command that became the program
// A test compares a profile with the truth of the very run that was recorded, so neither the machine's speed nor its
// load matters. Work comes in pieces of many sampling periods. Each piece is known to one period at either end, and a
// few seconds give a share to a fraction of a point.
#ifndef OMPPROF_TESTS_PROGRAMS_TRUTH_H_
#define OMPPROF_TESTS_PROGRAMS_TRUTH_H_

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <atomic>

namespace truth {

inline uint64_t ClockNs(clockid_t clock) {
  timespec now;
  clock_gettime(clock, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1000000000u + static_cast<uint64_t>(now.tv_nsec);
}

// The process's CPU time when the program's own code begins.
inline const uint64_t begin_ns = ClockNs(CLOCK_PROCESS_CPUTIME_ID);

// A sum that any thread adds to.
class Account {
 public:
  Account(const char* kind, const char* name) : kind_(kind), name_(name) {}

  void Add(uint64_t ns) { ns_.fetch_add(ns, std::memory_order_relaxed); }
  void Print() const { printf("truth %s %s cpu_ns %llu\n", kind_, name_, static_cast<unsigned long long>(ns_.load())); }

 private:
  const char* const kind_;
  const char* const name_;
  std::atomic<uint64_t> ns_{0};
};

// Adds the CPU time that the thread spends in a scope. A function that takes a callable would put frames of its own
// between the program's.
class Timed {
 public:
  explicit Timed(Account& account) : account_(account), start_(ClockNs(CLOCK_THREAD_CPUTIME_ID)) {}
  ~Timed() { account_.Add(ClockNs(CLOCK_THREAD_CPUTIME_ID) - start_); }
  Timed(const Timed&) = delete;
  Timed& operator=(const Timed&) = delete;

 private:
  Account& account_;
  const uint64_t start_;
};

// `begin`: a clock that a program has read even earlier.
inline void PrintProcess(uint64_t begin = begin_ns) {
  const uint64_t ns = ClockNs(CLOCK_PROCESS_CPUTIME_ID) - begin;
  printf("truth process cpu_ns %llu\n", static_cast<unsigned long long>(ns));
}

// Argument `index` as a number, `fallback` where there is none.
inline long Argument(int argc, char** argv, int index, long fallback) {
  return argc > index ? strtol(argv[index], nullptr, 10) : fallback;
}

}  // namespace truth

// Keeps a call from becoming the function's last instruction: a jump, which would take the function's frame off the
// stack.
#define TRUTH_NO_TAIL_CALL() asm volatile("" ::: "memory")

// noipa keeps gcc from cloning functions, and from folding two functions that compute the same.
#ifdef __clang__
#define TRUTH_FUNCTION extern "C" __attribute__((noinline))
#else
#define TRUTH_FUNCTION extern "C" __attribute__((noipa))
#endif

// Defines uint64_t NAME(uint64_t iterations): pure computation, no call, no memory. NAME has C linkage, so that a
// profile has it as written.
#define TRUTH_WORK(name)                              \
  TRUTH_FUNCTION uint64_t name(uint64_t iterations) { \
    uint64_t x = 88172645463325252u + __LINE__;       \
    for (uint64_t i = 0; i < iterations; i++) {       \
      x ^= x << 13;                                   \
      x ^= x >> 7;                                    \
      x ^= x << 17;                                   \
      asm volatile("" : "+r"(x));                     \
    }                                                 \
    return x;                                         \
  }

TRUTH_WORK(truth_calibration)

namespace truth {

// Measured before the program begins, so that no Timed scope counts the measurement as its work.
inline const double iterations_per_ms = [] {
  constexpr uint64_t kIterations = 125000;  // some 0.4 ms
  uint64_t fastest = UINT64_MAX;
  for (int i = 0; i < 8; i++) {
    const uint64_t start = ClockNs(CLOCK_THREAD_CPUTIME_ID);
    truth_calibration(kIterations);
    const uint64_t took = ClockNs(CLOCK_THREAD_CPUTIME_ID) - start;
    if (took < fastest) fastest = took;
  }
  return kIterations * 1e6 / static_cast<double>(fastest + 1);
}();

// How many iterations of a TRUTH_WORK function take about `ms` of CPU time here. They take up to twice as long while
// another program uses the same core, or half as long where one did so during the measurement.
inline uint64_t Iterations(double ms) { return static_cast<uint64_t>(ms * iterations_per_ms); }

// Calls `work` until the thread has computed for `ms`, whoever else uses the core. Adds no frame.
__attribute__((always_inline)) inline void ComputeFor(double ms, uint64_t (*work)(uint64_t)) {
  const uint64_t end = ClockNs(CLOCK_THREAD_CPUTIME_ID) + static_cast<uint64_t>(ms * 1e6);
  while (ClockNs(CLOCK_THREAD_CPUTIME_ID) < end) work(Iterations(1));
}

}  // namespace truth

#endif  // OMPPROF_TESTS_PROGRAMS_TRUTH_H_
