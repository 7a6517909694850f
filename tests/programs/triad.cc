// Vectors on whatever device the program finds, for real offload runtimes: the kernel calls nothing of the host's.
//   truth count devices N
//   truth count launches N
//   truth count mapped N      bytes of one vector; both go to the device, and one comes back
//   truth process cpu_ns N
//   triad [LAUNCHES]
// Exits with 1 if a result is wrong.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

constexpr int kCount = 1 << 20;
static double a[kCount], b[kCount];

static void triad(int launches) {
#pragma omp target data map(tofrom : a) map(to : b)
  for (int launch = 0; launch < launches; launch++) {
#pragma omp target teams distribute parallel for map(tofrom : a) map(to : b)
    for (int i = 0; i < kCount; i++) a[i] += 2 * b[i];
  }
}

int main(int argc, char** argv) {
  const int launches = argc > 1 ? atoi(argv[1]) : 50;
  for (int i = 0; i < kCount; i++) b[i] = i;
  triad(launches);
  for (int i = 0; i < kCount; i++) {
    if (a[i] != 2.0 * i * launches) return 1;
  }
  printf("truth count devices %d\n", omp_get_num_devices());
  printf("truth count launches %d\n", launches);
  printf("truth count mapped %zu\n", sizeof a);
  printf("truth process cpu_ns %lld\n", static_cast<long long>(clock()) * (1000000000 / CLOCKS_PER_SEC));
  return 0;
}
