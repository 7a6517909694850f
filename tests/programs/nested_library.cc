// Calls a library that has threads of its own, in a region or outside of regions.
//   nested_library region|serial CPU_MS
#include "nested_library.h"

#include <string>

#include "truth.h"

TRUTH_WORK(own_work)

TRUTH_FUNCTION void in_region(int calls, uint64_t iterations) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < calls; i++) multiply_in_library(iterations);
  TRUTH_NO_TAIL_CALL();
}

TRUTH_FUNCTION void outside(int calls, uint64_t iterations) {
  for (int i = 0; i < calls; i++) multiply_in_library(iterations);
#pragma omp parallel
  own_work(iterations);
  TRUTH_NO_TAIL_CALL();
}

int main(int argc, char** argv) {
  const std::string mode = argc > 1 ? argv[1] : "region";
  constexpr int kCalls = 40;
  const uint64_t iterations = truth::Iterations(static_cast<double>(truth::Argument(argc, argv, 2, 1000)) / kCalls);
  if (mode == "region") in_region(kCalls, iterations);
  if (mode == "serial") outside(kCalls, iterations);
  truth::PrintProcess();
  return 0;
}
