// Programs that do not scale, each for one real reason, which the machine must have: caches, memory.
//   scaling_flaws false-sharing [ROUNDS]   The threads' counters are in one cache line.
//   scaling_flaws padded [ROUNDS]          Each counter has a cache line.
//   scaling_flaws triad [ROUNDS]           A vector operation waits for memory.
//   scaling_flaws tiny-regions [ROUNDS]    Parallel regions take a few hundred nanoseconds.
#include <omp.h>

#include <algorithm>
#include <string>
#include <vector>

#include "truth.h"

TRUTH_FUNCTION void count_events(long* counter, long events) {
  for (long i = 0; i < events; ++i) {
    __atomic_fetch_add(counter, i & 3, __ATOMIC_RELAXED);
  }
}

TRUTH_FUNCTION void triad(double* a, const double* b, const double* c, long count) {
  for (long i = 0; i < count; ++i) {
    a[i] = b[i] + 2 * c[i];
  }
}

TRUTH_WORK(tiny_work)

namespace {

truth::Account counted("function", "count_events");
truth::Account vectors("function", "triad");

constexpr long kCacheLine = 64 / sizeof(long);

// `apart`: longs from one thread's counter to the next thread's.
void Count(long rounds, long apart) {
  constexpr long kEvents = 2000000;
  constexpr int kMostThreads = 64;
  alignas(2 * 64) static long counters[kMostThreads * 2 * kCacheLine];
#pragma omp parallel num_threads(std::min(omp_get_max_threads(), kMostThreads))
  {
    const truth::Timed timed(counted);
    count_events(&counters[omp_get_thread_num() * apart], rounds * kEvents / omp_get_num_threads());
    TRUTH_NO_TAIL_CALL();
  }
}

void Triad(long rounds) {
  constexpr long kCount = 1 << 22;  // 32 MiB each: more than caches hold
  std::vector<double> a(kCount), b(kCount, 1), c(kCount, 2);
#pragma omp parallel
  {
    const truth::Timed timed(vectors);
    const long share = kCount / omp_get_num_threads();
    const long begin = omp_get_thread_num() * share;
    for (long round = 0; round < rounds; ++round) triad(&a[begin], &b[begin], &c[begin], share);
  }
}

void TinyRegions(long rounds) {
  constexpr long kRegions = 3000;
  constexpr uint64_t kIterations = 200;
  for (long region = 0; region < rounds * kRegions; ++region) {
#pragma omp parallel
    tiny_work(kIterations / omp_get_num_threads());
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string mode = argc > 1 ? argv[1] : "";
  const long rounds = truth::Argument(argc, argv, 2, 30);
  if (mode == "false-sharing") Count(rounds, 1);
  if (mode == "padded") Count(rounds, 2 * kCacheLine);
  if (mode == "triad") Triad(rounds);
  if (mode == "tiny-regions") TinyRegions(rounds);
  for (const truth::Account* account : {&counted, &vectors}) account->Print();
  truth::PrintProcess();
  return 0;
}
