// Work at the bottom of two recursions, 40 and 5000 calls deep, in every thread of a parallel region.
//   recursion [CPU_MS]
#include <omp.h>

#include "truth.h"

TRUTH_WORK(work_shallow)
TRUTH_WORK(work_deep)

static truth::Account shallow("path", "main;recursion_region;descend_shallow;work_shallow");
static truth::Account deep("path", "main;recursion_region;descend_deep;work_deep");

// `depth` counts the frames of this function on the stack when the work begins.
TRUTH_FUNCTION uint64_t descend_shallow(int depth, uint64_t iterations) {
  const uint64_t result = depth > 1 ? descend_shallow(depth - 1, iterations) : work_shallow(iterations);
  TRUTH_NO_TAIL_CALL();
  return result + 1;
}

TRUTH_FUNCTION uint64_t descend_deep(int depth, uint64_t iterations) {
  const uint64_t result = depth > 1 ? descend_deep(depth - 1, iterations) : work_deep(iterations);
  TRUTH_NO_TAIL_CALL();
  return result + 1;
}

TRUTH_FUNCTION void recursion_region(double ms) {
#pragma omp parallel
  {
    const double part = ms / 20 / omp_get_num_threads();
    for (int round = 0; round < 10; round++) {
      {
        truth::Timed timed(shallow);
        descend_shallow(40, truth::Iterations(part));
      }
      {
        truth::Timed timed(deep);
        descend_deep(5000, truth::Iterations(part));
      }
    }
  }
  TRUTH_NO_TAIL_CALL();
}

int main(int argc, char** argv) {
  recursion_region(static_cast<double>(truth::Argument(argc, argv, 1, 5000)));
  shallow.Print();
  deep.Print();
  truth::PrintProcess();
  return 0;
}
