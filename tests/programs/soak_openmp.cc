// Regions, tasks and locks. Sums are of integers, so the order of additions does not matter.
#include <omp.h>
#include <stddef.h>

#include <vector>

#include "soak_steps.h"

namespace soak {

uint64_t Work(uint64_t seed, int iterations) {
  uint64_t x = seed | 1;
  for (int i = 0; i < iterations; i++) {
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    asm volatile("" : "+r"(x));
  }
  return x;
}

uint64_t Region(uint64_t seed) {
  Random random(seed);
  const int threads = random.From(1, 4), count = random.From(10, 400), size = random.From(10, 4000);
  const omp_sched_t kinds[] = {omp_sched_static, omp_sched_dynamic, omp_sched_guided, omp_sched_auto};
  omp_set_schedule(kinds[random.Below(4)], random.From(1, 16));
  uint64_t sum = 0;
  const int regions = random.From(1, 20);
  for (int region = 0; region < regions; region++) {
#pragma omp parallel for num_threads(threads) schedule(runtime) reduction(+ : sum)
    for (int i = 0; i < count; i++) sum += Work(seed + static_cast<uint64_t>(i), size / (1 + i % 7));
  }
  return sum;
}

uint64_t Nested(uint64_t seed) {
  Random random(seed);
  const int outer = random.From(1, 3), inner = random.From(1, 3), size = random.From(100, 3000);
  uint64_t sum = 0;
#pragma omp parallel for num_threads(outer) reduction(+ : sum)
  for (int i = 0; i < 6; i++) {
#pragma omp parallel for num_threads(inner) reduction(+ : sum)
    for (int k = 0; k < 20; k++) {
      sum += Work(seed + static_cast<uint64_t>(i * 20 + k), size);
    }
#pragma omp parallel num_threads(2) if (i % 2 == 0) reduction(+ : sum)
    {
#pragma omp for
      for (int k = 0; k < 8; k++) sum += Work(seed ^ static_cast<uint64_t>(k), size);
    }
  }
  return sum;
}

static uint64_t Fib(uint64_t seed, int n) {
  if (n < 2) return Work(seed + static_cast<uint64_t>(n), 50) & 0xffff;
  uint64_t a = 0, b = 0;
#pragma omp task shared(a) if (n > 6)
  a = Fib(seed, n - 1);
#pragma omp task shared(b) untied
  b = Fib(seed, n - 2);
#pragma omp taskwait
  return a + b;
}

uint64_t Tasks(uint64_t seed) {
  Random random(seed);
  const int threads = random.From(1, 4), n = random.From(5, 14);
  uint64_t result = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
  result = Fib(seed, n);
  return result;
}

uint64_t TaskLoop(uint64_t seed) {
  Random random(seed);
  const int threads = random.From(1, 4), grain = random.From(1, 30), size = random.From(10, 1000);
  uint64_t sum = 0;
#pragma omp parallel num_threads(threads)
#pragma omp master
#pragma omp taskgroup
  {
#pragma omp taskloop grainsize(grain) nogroup
    for (int i = 0; i < 300; i++) {
      const uint64_t part = Work(seed + static_cast<uint64_t>(i), size);
#pragma omp atomic
      sum += part;
    }
  }
  return sum;
}

uint64_t Depend(uint64_t seed) {
  Random random(seed);
  const int threads = random.From(2, 4), size = random.From(10, 2000);
  uint64_t cells[8] = {};
#pragma omp parallel num_threads(threads)
#pragma omp single
  for (int i = 0; i < 120; i++) {
    uint64_t* const to = &cells[Mix(seed + static_cast<uint64_t>(i)) % 8];
    uint64_t* const from = &cells[Mix(seed ^ static_cast<uint64_t>(i)) % 8];
    if (to == from) continue;
#pragma omp task depend(in : from[0]) depend(inout : to[0]) firstprivate(i)
    *to = Mix(*to + *from + Work(seed + static_cast<uint64_t>(i), size));
  }
  uint64_t sum = 0;
  for (const uint64_t cell : cells) sum = Mix(sum ^ cell);
  return sum;
}

uint64_t Locks(uint64_t seed) {
  Random random(seed);
  const int threads = random.From(2, 4), rounds = random.From(20, 600), size = random.From(1, 600);
  std::vector<omp_lock_t> locks(static_cast<size_t>(random.From(1, 9)));
  omp_nest_lock_t nest;
  omp_init_nest_lock(&nest);
  for (omp_lock_t& lock : locks) omp_init_lock(&lock);
  uint64_t plain = 0, named = 0, nested = 0, unnamed = 0;
#pragma omp parallel for num_threads(threads) schedule(dynamic, 3)
  for (int i = 0; i < rounds; i++) {
    const uint64_t part = Work(seed + static_cast<uint64_t>(i), size);
    omp_lock_t* const lock = &locks[part % locks.size()];
    if (part % 5 == 0) {
      while (!omp_test_lock(lock)) Work(part, 20);
    } else {
      omp_set_lock(lock);
    }
    Work(part, size);
    omp_unset_lock(lock);
#pragma omp critical(soak_sum)
    named += part;
#pragma omp critical
    unnamed ^= part;
    omp_set_nest_lock(&nest);
    omp_set_nest_lock(&nest);
    nested += part;
    omp_unset_nest_lock(&nest);
    omp_unset_nest_lock(&nest);
#pragma omp atomic
    plain += part;
  }
  for (omp_lock_t& lock : locks) omp_destroy_lock(&lock);
  omp_destroy_nest_lock(&nest);
  return Mix(plain ^ named) + nested + unnamed;
}

uint64_t Ordered(uint64_t seed) {
  Random random(seed);
  const int threads = random.From(1, 4), size = random.From(10, 2000);
  uint64_t chain = seed;
#pragma omp parallel for ordered num_threads(threads) schedule(dynamic, 1)
  for (int i = 0; i < 80; i++) {
    const uint64_t part = Work(seed + static_cast<uint64_t>(i), size);
#pragma omp ordered
    chain = Mix(chain ^ part);
  }
  return chain;
}

uint64_t Single(uint64_t seed) {
  Random random(seed);
  const int threads = random.From(1, 4), size = random.From(10, 3000);
  uint64_t sum = 0, sections = 0;
#pragma omp parallel num_threads(threads) reduction(+ : sections)
  {
    for (int i = 0; i < 30; i++) {
#pragma omp single
      sum += Work(seed + static_cast<uint64_t>(i), size);
#pragma omp barrier
#pragma omp master
      sum = Mix(sum);
#pragma omp barrier
    }
#pragma omp sections
    {
#pragma omp section
      sections += Work(seed, size);
#pragma omp section
      sections += Work(~seed, size);
    }
  }
  return sum + sections;
}

// The iteration that finds the wanted number cancels the loop (where OMP_CANCELLATION says so). How many iterations ran
// is no part of the result.
uint64_t CancelFor(uint64_t seed) {
  Random random(seed);
  const int threads = random.From(1, 4), size = random.From(10, 2000), wanted = random.From(0, 199);
  int found = -1;
#pragma omp parallel num_threads(threads)
  {
#pragma omp for schedule(static, 2)
    for (int i = 0; i < 200; i++) {
      Work(seed + static_cast<uint64_t>(i), size);
      if (i == wanted) {
#pragma omp atomic write
        found = i;
#pragma omp cancel for
      }
#pragma omp cancellation point for
    }
  }
  return static_cast<uint64_t>(found);
}

}  // namespace soak
