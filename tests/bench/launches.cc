// The cost of launching an empty kernel on a device: "launch wall_ns N cpu_ns N". launch_cost.py runs the program under
// several tools. The CPU time is the launching thread's, which a busy machine disturbs less than the wall time. Both
// are the least of many short rounds, taken on their own.
//   launches [ROUNDS]
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <algorithm>

namespace {

constexpr int kLaunches = 200;  // in a round

double Seconds(clockid_t clock) {
  timespec now;
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

int value;

void Launch() {
#pragma omp target
  value++;
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? atoi(argv[1]) : 100;
  double wall = 1, cpu = 1;
  for (int round = 0; round < rounds; round++) {
    const double wall_begin = Seconds(CLOCK_MONOTONIC), cpu_begin = Seconds(CLOCK_THREAD_CPUTIME_ID);
    for (int i = 0; i < kLaunches; i++) Launch();
    cpu = std::min(cpu, Seconds(CLOCK_THREAD_CPUTIME_ID) - cpu_begin);
    wall = std::min(wall, Seconds(CLOCK_MONOTONIC) - wall_begin);
  }
  if (omp_get_num_devices() == 0) return 1;
  printf("launch wall_ns %.0f cpu_ns %.0f\n", 1e9 * wall / kLaunches, 1e9 * cpu / kLaunches);
  return 0;
}
