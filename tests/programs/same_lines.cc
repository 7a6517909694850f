// Code that is made many times from one source line, by macros, templates and lambdas. Each piece of code works in a
// function of its own, whose name tells which code a sample belongs to.
//   same_lines [CPU_MS]
#include <omp.h>

#include "truth.h"

static uint64_t iterations;

// Functions that end with their region: compilers make the call a jump, and the function leaves the stack.
#define PHASE(name)            \
  TRUTH_WORK(name##_work)      \
  TRUTH_FUNCTION void name() { \
    _Pragma("omp parallel") {  \
      name##_work(iterations); \
      TRUTH_NO_TAIL_CALL();    \
    }                          \
  }
#define PHASES PHASE(phase0) PHASE(phase1) PHASE(phase2) PHASE(phase3)
#line 101
PHASES

TRUTH_WORK(twice0_work)
TRUTH_WORK(twice1_work)
#define REGION(name) _Pragma("omp parallel") name##_work(iterations);
#define REGIONS REGION(twice0) REGION(twice1)
#line 201
TRUTH_FUNCTION void twice() { REGIONS }

// As Kokkos, RAJA and Thrust do it.
template <class Body>
__attribute__((noinline)) void kernel(Body body) {
#line 301
#pragma omp parallel
  body();
}

TRUTH_WORK(alpha_work)
TRUTH_WORK(beta_work)
TRUTH_WORK(left_work)
TRUTH_WORK(right_work)

struct Alpha {
  void operator()() const { alpha_work(iterations); }
};
struct Beta {
  void operator()() const { beta_work(iterations); }
};

int main(int argc, char** argv) {
  constexpr double kRuns = 34;
  iterations = truth::Iterations(static_cast<double>(truth::Argument(argc, argv, 1, 2000)) / 2 / kRuns);
  for (int i = 0; i < 1; i++) phase0();
  for (int i = 0; i < 2; i++) phase1();
  for (int i = 0; i < 3; i++) phase2();
  for (int i = 0; i < 4; i++) phase3();
  for (int i = 0; i < 5; i++) twice();
  for (int i = 0; i < 2; i++) kernel(Alpha());
  for (int i = 0; i < 3; i++) kernel(Beta());
#line 401
  for (int i = 0; i < 4; i++) kernel([] { left_work(iterations); });
#line 402
  for (int i = 0; i < 5; i++) kernel([] { right_work(iterations); });
  truth::PrintProcess();
  return 0;
}
