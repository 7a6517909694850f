// Target regions with known maps, launches and kernel times, for a device of gcc's programs.
//   truth count devices N
//   truth count mapped N        bytes of the array
//   truth count rounds N
//   truth wall kernels N        wall time within the regions, by the device's thread
//   devices [ROUNDS] [KERNEL_MS]
#include <omp.h>

#include "truth.h"

TRUTH_WORK(kernel_work)

constexpr int kMapped = 1 << 20;
static unsigned char mapped[kMapped];

static uint64_t Now() { return truth::ClockNs(CLOCK_MONOTONIC); }

// The array travels to the device and back in each round.
TRUTH_FUNCTION uint64_t both_ways(uint64_t iterations) {
  uint64_t ns = 0;
#pragma omp target map(tofrom : mapped) map(from : ns)
  {
    const uint64_t begin = Now();
    mapped[0] = static_cast<unsigned char>(kernel_work(iterations));
    ns = Now() - begin;
  }
  return ns;
}

// The array travels once, before all rounds.
TRUTH_FUNCTION uint64_t kept_there(int rounds, uint64_t iterations) {
  uint64_t sum = 0;
#pragma omp target data map(to : mapped)
  for (int round = 0; round < rounds; round++) {
    uint64_t ns = 0;
#pragma omp target map(to : mapped) map(from : ns)
    {
      const uint64_t begin = Now();
      ns = kernel_work(iterations) & 1 & mapped[1];
      ns += Now() - begin;
    }
    sum += ns;
  }
  return sum;
}

int main(int argc, char** argv) {
  const auto rounds = static_cast<int>(truth::Argument(argc, argv, 1, 20));
  const auto ms = static_cast<double>(truth::Argument(argc, argv, 2, 5));
  const uint64_t iterations = truth::Iterations(ms);
  uint64_t ns = 0;
  for (int round = 0; round < rounds; round++) ns += both_ways(iterations);
  ns += kept_there(rounds, iterations);
  printf("truth count devices %d\n", omp_get_num_devices());
  printf("truth count mapped %d\n", kMapped);
  printf("truth count rounds %d\n", rounds);
  printf("truth wall kernels wall_ns %llu\n", static_cast<unsigned long long>(ns));
  truth::PrintProcess();
  return 0;
}
