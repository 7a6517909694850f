// Two functions with as much work as asked for, shared by a team, to compare runs. Arguments are iterations, not time:
// another run does the same work.
//   two_functions STEADY CHANGED        in millions of iterations
#include "truth.h"

TRUTH_WORK(steady_work)
TRUTH_WORK(changed_work)

TRUTH_FUNCTION void two_functions_region(uint64_t steady, uint64_t changed) {
#pragma omp parallel num_threads(2)
  {
    steady_work(steady / 2);
    changed_work(changed / 2);
  }
  TRUTH_NO_TAIL_CALL();
}

int main(int argc, char** argv) {
  constexpr uint64_t kMillion = 1000000;
  two_functions_region(static_cast<uint64_t>(truth::Argument(argc, argv, 1, 100)) * kMillion,
                       static_cast<uint64_t>(truth::Argument(argc, argv, 2, 100)) * kMillion);
  return 0;
}
