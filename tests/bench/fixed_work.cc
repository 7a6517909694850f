// Programs for the whole-program benchmark. They do a fixed amount of work in every run. Programs of tests/programs
// have a length in time instead, and do less work when they are slowed down.
//   fixed_work flat [MILLIONS]    three functions in one region, no call from them: shallow stacks
//   fixed_work deep [MILLIONS]    the same under 40 frames of recursion
//   fixed_work regions [MILLIONS] in some thousand short regions, begun from three places
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

namespace {

constexpr int kRounds = 20;
constexpr int kDeep = 40;
constexpr int kRegions = 3000;

#define WORK(name)                                               \
  __attribute__((noinline)) uint64_t name(uint64_t iterations) { \
    uint64_t x = 88172645463325252u + __LINE__;                  \
    for (uint64_t i = 0; i < iterations; i++) {                  \
      x ^= x << 13;                                              \
      x ^= x >> 7;                                               \
      x ^= x << 17;                                              \
      asm volatile("" : "+r"(x));                                \
    }                                                            \
    return x;                                                    \
  }

WORK(work_a)
WORK(work_b)
WORK(work_c)

uint64_t Flat(uint64_t iterations) { return work_a(iterations / 2) + work_b(iterations / 3) + work_c(iterations / 6); }

__attribute__((noinline)) uint64_t Recurse(int depth, uint64_t iterations) {
  const uint64_t below = depth == 0 ? Flat(iterations) : Recurse(depth - 1, iterations);
  asm volatile("" ::: "memory");  // keeps the call from becoming a jump
  return below + 1;
}

uint64_t InOneRegion(uint64_t iterations, int depth) {
  uint64_t sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
  for (int i = 0; i < 2 * kRounds; i++) {
    sum += depth == 0 ? Flat(iterations / kRounds) : Recurse(depth, iterations / kRounds);
  }
  return sum;
}

__attribute__((noinline)) uint64_t Solve(uint64_t iterations) {
  uint64_t sum = 0;
#pragma omp parallel reduction(+ : sum)
  sum += Flat(iterations);
  return sum;
}

__attribute__((noinline)) uint64_t SiteA(uint64_t n) { return Solve(n) + 1; }
__attribute__((noinline)) uint64_t SiteB(uint64_t n) { return Solve(n) + 2; }
__attribute__((noinline)) uint64_t SiteC(uint64_t n) { return Solve(n) + 3; }

}  // namespace

int main(int argc, char** argv) {
  const char* kind = argc > 1 ? argv[1] : "flat";
  const uint64_t each = (argc > 2 ? strtoull(argv[2], nullptr, 10) : 400) * 1000000 / 2;
  uint64_t sum = 0;
  if (strcmp(kind, "regions") == 0) {
    for (int i = 0; i < kRegions / 3; i++)
      sum += SiteA(each / kRegions) + SiteB(each / kRegions) + SiteC(each / kRegions);
  } else {
    sum = InOneRegion(each, strcmp(kind, "deep") == 0 ? kDeep : 0);
  }
  printf("%llu\n", static_cast<unsigned long long>(sum));
  return 0;
}
