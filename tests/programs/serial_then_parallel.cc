// Half of the wall time serial, then half parallel, with the workers there from the start: what they burn while they
// wait through the serial half is idleness, not a barrier, although the runtime says barrier.
//   serial_then_parallel [WALL_MS]
#include <omp.h>

#include "truth.h"

TRUTH_WORK(warm_up_work)
TRUTH_WORK(serial_work)
TRUTH_WORK(parallel_work)

static truth::Account serial("function", "serial_work"), parallel("function", "parallel_work");

TRUTH_FUNCTION void warm_up() {
#pragma omp parallel
  warm_up_work(truth::Iterations(1));
  TRUTH_NO_TAIL_CALL();
}

TRUTH_FUNCTION void parallel_part(double ms) {
#pragma omp parallel
  {
    truth::Timed timed(parallel);
    parallel_work(truth::Iterations(ms));
  }
  TRUTH_NO_TAIL_CALL();
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
  printf("truth region parallel_part elapsed_ns %llu\n", static_cast<unsigned long long>(end - middle));
  printf("truth wall serial_part elapsed_ns %llu\n", static_cast<unsigned long long>(middle - start));
  truth::PrintProcess();
  return 0;
}
