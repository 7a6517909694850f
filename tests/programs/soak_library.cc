// A library with OpenMP in it that the soak program loads and unloads.
#include <stdint.h>

static uint64_t work(uint64_t x, int iterations) {
  for (int i = 0; i < iterations; i++) {
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    asm volatile("" : "+r"(x));
  }
  return x;
}

extern "C" uint64_t soak_library_run(uint64_t seed, int size) {
  uint64_t sum = 0;
#pragma omp parallel for num_threads(2) schedule(dynamic, 1) reduction(+ : sum)
  for (int i = 0; i < 12; i++) {
    const uint64_t part = work(seed + static_cast<uint64_t>(i) + 1, size);
#pragma omp critical(soak_library)
    sum += part;
  }
  return sum;
}
