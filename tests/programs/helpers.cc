// Target tasks that nobody needs to wait for. LLVM's runtime executes them on helper threads, a team of eight that
// lasts until the program ends.
//   truth wall serial N     serial work after all that
//   helpers [MS]            MS: CPU time of the serial work; the target tasks have half of it
#include <omp.h>

#include "truth.h"

TRUTH_WORK(target_work)
TRUTH_WORK(serial_work)

static truth::Account in_target("function", "target_work"), serial("function", "serial_work");

constexpr int kTasks = 4;

TRUTH_FUNCTION void target_tasks(double ms) {
  int in[kTasks] = {};
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    for (int i = 0; i < kTasks; i++) {
#pragma omp target nowait depend(out : in[i])
      {
        truth::Timed timed(in_target);
        target_work(truth::Iterations(ms / kTasks));
      }
    }
#pragma omp taskwait
  }
}

int main(int argc, char** argv) {
  const double ms = static_cast<double>(truth::Argument(argc, argv, 1, 800));
  truth::Iterations(1);
  target_tasks(ms / 2);
  const uint64_t begin = truth::ClockNs(CLOCK_MONOTONIC);
  {
    truth::Timed timed(serial);
    serial_work(truth::Iterations(ms));
  }
  printf("truth wall serial wall_ns %llu\n", static_cast<unsigned long long>(truth::ClockNs(CLOCK_MONOTONIC) - begin));
  in_target.Print();
  serial.Print();
  truth::PrintProcess();
  return 0;
}
