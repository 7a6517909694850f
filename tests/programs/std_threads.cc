// C++ threads beside OpenMP's: 25 percent of the CPU time in each of two of them, the other half in a parallel region.
//   std_threads [CPU_MS]
#include <omp.h>

#include <thread>

#include "truth.h"

TRUTH_WORK(thread_work_x)
TRUTH_WORK(thread_work_y)
TRUTH_WORK(region_work)

static truth::Account x("function", "thread_work_x"), y("function", "thread_work_y"), region("function", "region_work");

TRUTH_FUNCTION void mixed_region(double ms) {
#pragma omp parallel num_threads(2)
  for (int round = 0; round < 5; round++) {
    truth::Timed timed(region);
    region_work(truth::Iterations(ms / 5 / omp_get_num_threads()));
  }
  TRUTH_NO_TAIL_CALL();
}

int main(int argc, char** argv) {
  const double ms = static_cast<double>(truth::Argument(argc, argv, 1, 5000));
  truth::Iterations(1);
  std::thread thread_x([ms] {
    truth::Timed timed(x);
    thread_work_x(truth::Iterations(ms * 0.25));
  });
  std::thread thread_y([ms] {
    truth::Timed timed(y);
    thread_work_y(truth::Iterations(ms * 0.25));
  });
  mixed_region(ms * 0.5);
  thread_x.join();
  thread_y.join();
  x.Print();
  y.Print();
  region.Print();
  truth::PrintProcess();
  return 0;
}
