// Half of the wall time is serial, then half parallel. The workers exist from the start. The CPU time that they burn
// through the serial half is idleness, not a barrier, although the runtime says barrier.
//   serial_then_parallel [WALL_MS]
#include <omp.h>
#include <pthread.h>

#include "truth.h"

TRUTH_WORK(warm_up_work)
TRUTH_WORK(serial_work)
TRUTH_WORK(parallel_work)

static truth::Account serial("function", "serial_work"), parallel("function", "parallel_work");

// CPU time that the first threads burn at the region's end. It is much where the others do not get their processor.
static truth::Account barrier("state", "barrier");

TRUTH_FUNCTION void warm_up() {
#pragma omp parallel
  warm_up_work(truth::Iterations(1));
  TRUTH_NO_TAIL_CALL();
}

TRUTH_FUNCTION void parallel_part(double ms) {
  constexpr int kMost = 64;
  clockid_t clocks[kMost];
  uint64_t done_at[kMost];
  int threads = 0;
#pragma omp parallel reduction(+ : threads)
  {
    {
      truth::Timed timed(parallel);
      parallel_work(truth::Iterations(ms));
    }
    const int self = omp_get_thread_num();
    threads = 1;
    pthread_getcpuclockid(pthread_self(), &clocks[self]);
    done_at[self] = truth::ClockNs(clocks[self]);
  }
  for (int i = 0; i < threads; i++) barrier.Add(truth::ClockNs(clocks[i]) - done_at[i]);
}

int main(int argc, char** argv) {
  const double half = static_cast<double>(truth::Argument(argc, argv, 1, 3000)) / 2;
  warm_up();
  const uint64_t start = truth::ClockNs(CLOCK_MONOTONIC);
  {
    truth::Timed timed(serial);
    serial_work(truth::Iterations(half));
  }
  const uint64_t middle = truth::ClockNs(CLOCK_MONOTONIC);
  parallel_part(half);
  const uint64_t end = truth::ClockNs(CLOCK_MONOTONIC);
  serial.Print();
  parallel.Print();
  barrier.Print();
  printf("truth region parallel_part elapsed_ns %llu\n", static_cast<unsigned long long>(end - middle));
  printf("truth wall serial_part elapsed_ns %llu\n", static_cast<unsigned long long>(middle - start));
  truth::PrintProcess();
  return 0;
}
