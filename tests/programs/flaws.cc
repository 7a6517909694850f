// Programs with a known flaw, and the same programs mended, for advice and predictions. Each run prints how long its
// work took.
//   flaws MODE flawed|mended [SCALE]      work for about SCALE ms where nothing is wrong
// Modes that sleep keep their truth with more threads than processors, and on a shared machine.
#include <omp.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <numeric>
#include <random>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "truth.h"

namespace {

double sink[64];

// A unit of work, about a microsecond. Its length does not depend on a clock.
TRUTH_FUNCTION double compute(long units) {
  double x = 1;
  for (long i = 0; i < units * 250; ++i) x = x * 1.0000001 + 1e-9;
  return x;
}

// Sleeps for 19 twentieths and computes for one, so that there are samples.
void Sleep(double ms) {
  asm volatile("" ::"r"(&sink), "x"(compute(static_cast<long>(ms * 50))));
  usleep(static_cast<useconds_t>(ms * 950));
}

// Sleeps, and adds how long that took to `spent`, which has a cache line for each thread. A sleep ends late where other
// programs keep the processors busy.
constexpr size_t kCacheLine = 8;
void MeasuredSleep(double ms, std::vector<double>* spent) {
  const uint64_t start = truth::ClockNs(CLOCK_MONOTONIC);
  Sleep(ms);
  (*spent)[static_cast<size_t>(omp_get_thread_num()) * kCacheLine] +=
      static_cast<double>(truth::ClockNs(CLOCK_MONOTONIC) - start);
}

// A loop whose iterations take longer and longer. Tells the time of the thread that is busiest, and the threads' mean.
void Imbalance(bool mended, double ms) {
  constexpr int kIterations = 64;
  double busiest = 0, mean = 0;
  for (int run = 0; run < 4; ++run) {
    const double each = ms / 4 * 2 / kIterations;  // sleep for two threads
    std::vector<double> spent(static_cast<size_t>(omp_get_max_threads()) * kCacheLine);
    if (mended) {
#pragma omp parallel for schedule(dynamic, 1)
      for (int i = 0; i < kIterations; ++i) MeasuredSleep(each * 2 * (kIterations - i) / (kIterations + 1), &spent);
    } else {
#pragma omp parallel for schedule(static)
      for (int i = 0; i < kIterations; ++i) MeasuredSleep(each * 2 * (kIterations - i) / (kIterations + 1), &spent);
    }
    busiest += *std::max_element(spent.begin(), spent.end());
    mean += std::accumulate(spent.begin(), spent.end(), 0.) / omp_get_max_threads();
  }
  std::printf("truth wall busiest wall_ns %.0f\ntruth wall mean wall_ns %.0f\n", busiest, mean);
}

// Likewise, but the iterations compute, so that the threads need processors.
void Uneven(bool mended, double ms) {
  constexpr int kIterations = 256;
  for (int run = 0; run < 4; ++run) {
    const double each = ms / 4 * 2 / kIterations;  // work for two threads
    if (mended) {
#pragma omp parallel for schedule(dynamic, 1)
      for (int i = 0; i < kIterations; ++i)
        sink[0] = compute(static_cast<long>(each * 2000 * (kIterations - i) / (kIterations + 1)));
    } else {
#pragma omp parallel for schedule(static)
      for (int i = 0; i < kIterations; ++i)
        sink[0] = compute(static_cast<long>(each * 2000 * (kIterations - i) / (kIterations + 1)));
    }
  }
}

TRUTH_FUNCTION void long_call(double ms) {
  Sleep(ms);
  TRUTH_NO_TAIL_CALL();
}

// Half of each iteration runs under a lock, and need not.
void HeldLock(bool mended, double ms) {
  constexpr int kIterations = 48;  // as many for each of 16 threads
  const double each = ms * 2 / kIterations;
#pragma omp parallel for schedule(static)
  for (int i = 0; i < kIterations; ++i) {
    Sleep(each / 4);
    if (mended) {
      long_call(each * 3 / 4);
    } else {
#pragma omp critical(table)
      long_call(each * 3 / 4);
    }
  }
}

// A sum in a critical section.
void Critical(bool mended, double ms) {
  const long kIterations = static_cast<long>(ms * 2 * 4000);
  double sum = 0;
  if (mended) {
#pragma omp parallel for reduction(+ : sum)
    for (long i = 0; i < kIterations; ++i) sum += static_cast<double>(i & 7) * 0.5;
  } else {
#pragma omp parallel for
    for (long i = 0; i < kIterations; ++i) {
#pragma omp critical(sum)
      sum += static_cast<double>(i & 7) * 0.5;
    }
  }
  sink[0] = sum;
}

// A sum by atomic updates of one variable, or of one for each thread, which are added up atomically.
void Atomics(bool mended, double ms) {
  const long kIterations = static_cast<long>(ms * 2 * 40000);
  double sum = 0;
#pragma omp parallel
  {
    double own = 0;
#pragma omp for
    for (long i = 0; i < kIterations; ++i) {
      if (mended) {
        own += static_cast<double>(i & 7) * 0.5;
      } else {
#pragma omp atomic
        sum += static_cast<double>(i & 7) * 0.5;
      }
    }
#pragma omp atomic
    sum += own;
  }
  sink[0] = sum;
}

void Serial(bool mended, double ms) {
  if (!mended) Sleep(ms * 0.6);
#pragma omp parallel
  {
    if (mended) Sleep(ms * 0.3);
    Sleep(ms * 0.7);
  }
}

// Iterations of a few nanoseconds, handed out singly.
void Chunks(bool mended, double ms) {
  const long kIterations = static_cast<long>(ms * 2 * 500);
  double sum = 0;
  for (int run = 0; run < 10; ++run) {
    if (mended) {
#pragma omp parallel for schedule(dynamic, 10000) reduction(+ : sum)
      for (long i = 0; i < kIterations; ++i) sum += static_cast<double>(i & 7) * 0.5;
    } else {
#pragma omp parallel for schedule(dynamic, 1) reduction(+ : sum)
      for (long i = 0; i < kIterations; ++i) sum += static_cast<double>(i & 7) * 0.5;
    }
  }
  sink[0] = sum;
}

long Fibonacci(int n) { return n < 2 ? n : Fibonacci(n - 1) + Fibonacci(n - 2); }

long TaskFibonacci(int n, int cutoff) {
  if (n < cutoff) return Fibonacci(n);
  long a = 0;
  long b = 0;
#pragma omp task shared(a)
  a = TaskFibonacci(n - 1, cutoff);
#pragma omp task shared(b)
  b = TaskFibonacci(n - 2, cutoff);
#pragma omp taskwait
  return a + b;
}

void Tasks(bool mended, double ms) {
  for (int run = 0; run < static_cast<int>(ms / 1000); ++run) {
#pragma omp parallel
#pragma omp single
    sink[1] += static_cast<double>(TaskFibonacci(25, mended ? 20 : 2));
  }
}

// Regions with less work than making a region takes.
void Short(bool mended, double ms) {
  const long kRuns = static_cast<long>(ms * 500);
  double* const values = sink;
  for (long run = 0; run < kRuns; ++run) {
    if (mended) {
      for (int i = 0; i < 32; ++i) values[i] += 1;
    } else {
#pragma omp parallel for
      for (int i = 0; i < 32; ++i) values[i] += 1;
    }
  }
}

// Whether a thread is late in a region of a step: by chance, the same chance in each run.
bool IsLate(int step, int region, int thread) {
  std::minstd_rand random(static_cast<uint32_t>(step * 24 + region + 1));
  random.discard(5);
  return ((random() >> 12) & 1) == static_cast<uint32_t>(thread & 1);
}

// One of several regions. They are functions of their own, so that each is a construct of its own.
template <int kRegion>
void SmallRegion(int step) {
#pragma omp parallel for schedule(static, 1)
  for (int thread = 0; thread < 2; ++thread) Sleep(IsLate(step, kRegion, thread) ? 1.5 : .5);
}

template <int... kRegions>
void AllSmallRegions(int step, std::integer_sequence<int, kRegions...>) {
  (SmallRegion<kRegions>(step), ...);
}

// Many regions, each with a thread that is late by chance. Mended, threads do not meet between them.
void SmallRegions(bool mended, double ms) {
  constexpr int kRegions = 24;
  for (int step = 0; step < static_cast<int>(ms / kRegions); ++step) {
    if (!mended) {
      AllSmallRegions(step, std::make_integer_sequence<int, kRegions>());
      continue;
    }
#pragma omp parallel
    for (int region = 0; region < kRegions; ++region) {
#pragma omp for schedule(static, 1) nowait
      for (int thread = 0; thread < 2; ++thread) Sleep(IsLate(step, region, thread) ? 1.5 : .5);
    }
  }
}

// One region with many barriers and little work between them, in equal shares. No schedule makes it faster.
void Barriers(double ms) {
  constexpr int kCells = 2048;
  static double cells[2][kCells];
  const long steps = static_cast<long>(ms * 50);
#pragma omp parallel
  for (long step = 0; step < steps; ++step) {
#pragma omp for schedule(static)
    for (int i = 1; i < kCells - 1; ++i)
      cells[(step + 1) & 1][i] = cells[step & 1][i - 1] + cells[step & 1][i] * 0.5 + cells[step & 1][i + 1];
  }
}

struct LockedTable {
  omp_lock_t lock;
  std::unordered_map<long, long> counts;
};

// Counts in a table under a lock, or in a table for each part of the keys. No sum: the code under the lock calls and
// branches.
void HashTable(bool mended, double ms) {
  constexpr long kKeys = 50021;
  std::vector<LockedTable> tables(mended ? 64 : 1);
  for (LockedTable& table : tables) omp_init_lock(&table.lock);
  const long count = static_cast<long>(ms * 2 * 2000);
#pragma omp parallel for schedule(static)
  for (long i = 0; i < count; ++i) {
    const long key = (i * 2654435761L) % kKeys;
    LockedTable& table = tables[static_cast<size_t>(key) % tables.size()];
    omp_set_lock(&table.lock);
    ++table.counts[key];
    omp_unset_lock(&table.lock);
  }
  for (LockedTable& table : tables) {
    omp_destroy_lock(&table.lock);
    sink[0] += static_cast<double>(table.counts.size());
  }
}

// Two sections, one with five times the work of the other; or pieces of it.
void Sections(bool mended, double ms) {
  for (int run = 0; run < 4; ++run) {
    const double each = ms / 4 * 2 / 6;
    if (mended) {
#pragma omp parallel for schedule(dynamic, 1)
      for (int i = 0; i < 24; ++i) Sleep(each / 4);
    } else {
#pragma omp parallel sections
      {
#pragma omp section
        Sleep(each * 5);
#pragma omp section
        Sleep(each);
      }
    }
  }
}

// The same work by teams of two or of four: OMP_NUM_THREADS decides.
void Threads(double ms) {
  for (int run = 0; run < 5; ++run) {
#pragma omp parallel for schedule(static)
    for (int i = 0; i < 8; ++i) Sleep(ms / 5 / 4);
  }
}

// Even work in regions that are long enough.
void Control(double ms) {
  for (int run = 0; run < 50; ++run) {
#pragma omp parallel for schedule(static)
    for (int i = 0; i < 32; ++i) sink[32] = compute(static_cast<long>(ms * 1000 / 50 / 16));
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string mode = argc > 1 ? argv[1] : "control";
  const bool mended = argc > 2 && std::strcmp(argv[2], "mended") == 0;
  const double ms = static_cast<double>(truth::Argument(argc, argv, 3, 500));
  const uint64_t start = truth::ClockNs(CLOCK_MONOTONIC);
  if (mode == "imbalance") Imbalance(mended, ms);
  if (mode == "uneven") Uneven(mended, ms);
  if (mode == "held-lock") HeldLock(mended, ms);
  if (mode == "critical") Critical(mended, ms);
  if (mode == "atomics") Atomics(mended, ms);
  if (mode == "serial") Serial(mended, ms);
  if (mode == "chunks") Chunks(mended, ms);
  if (mode == "tasks") Tasks(mended, ms);
  if (mode == "short") Short(mended, ms);
  if (mode == "small-regions") SmallRegions(mended, ms);
  if (mode == "barriers") Barriers(ms);
  if (mode == "hash-table") HashTable(mended, ms);
  if (mode == "sections") Sections(mended, ms);
  if (mode == "threads") Threads(ms);
  if (mode == "control") Control(ms);
  std::printf("truth wall %s %.0f\n", mode.c_str(), static_cast<double>(truth::ClockNs(CLOCK_MONOTONIC) - start));
  truth::PrintProcess();
  return 0;
}
