// Worksharing constructs, barriers and tasks that a macro makes several times on one source line. All counts are exact.
//   same_line_calls [CPU_MS]
#include <omp.h>

#include "truth.h"

static uint64_t iterations;
static std::atomic<long> sink{0};

#define REGION _Pragma("omp parallel num_threads(2)")

// Loops of different lengths: iterations and chunks tell which one a row is.
#define LOOP(n) _Pragma("omp for schedule(dynamic, 1)") for (int i = 0; i < n; i++) sink += i;
#define LOOPS \
  REGION { LOOP(4) LOOP(8) LOOP(12) }
#line 101
TRUTH_FUNCTION void loops(){LOOPS}
#define SINGLE _Pragma("omp single") sink++;
#define SINGLES \
  REGION { SINGLE SINGLE SINGLE }
#line 201
TRUTH_FUNCTION void singles(){SINGLES}

#define SECTIONS                   \
  _Pragma("omp sections") {        \
    _Pragma("omp section") sink++; \
    _Pragma("omp section") sink--; \
  }
#define TWO_SECTIONS \
  REGION { SECTIONS SECTIONS }
#line 301
TRUTH_FUNCTION void sections(){TWO_SECTIONS}

#define BARRIER _Pragma("omp barrier") sink++;
#define BARRIERS \
  REGION { BARRIER BARRIER BARRIER }
#line 401
TRUTH_FUNCTION void barriers(){BARRIERS}

// Compilers may have a copy of each barrier for every thread's number: these are two barriers.
#define ALONE(number) \
  if (omp_get_thread_num() == number) sink++;
#line 501
TRUTH_FUNCTION void copies() {
#pragma omp parallel num_threads(2)
  {
    ALONE(0)
#line 511
#pragma omp barrier
    ALONE(0)
#line 521
#pragma omp barrier
    ALONE(0)
  }
}

// Bodies that end with a call leave the stack.
TRUTH_WORK(task0_work)
TRUTH_WORK(task1_work)
TRUTH_WORK(task2_work)
#define TASK(n) _Pragma("omp task") task##n##_work(iterations);
#define TASKS TASK(0) TASK(1) TASK(2)
TRUTH_FUNCTION void tasks() {
#line 601
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#line 611
    TASKS
  }
}

// An orphaned loop, inlined twice into one region: one construct.
static inline __attribute__((always_inline)) void inlined(int n) {
#line 701
#pragma omp for schedule(dynamic, 1)
  for (int i = 0; i < n; i++) sink += i;
}
TRUTH_FUNCTION void twice() {
#line 711
#pragma omp parallel num_threads(2)
  {
    inlined(4);
    inlined(8);
  }
}

// Orphaned loops of two instances of a template: two constructs, which their functions' names tell apart.
template <class Kind>
__attribute__((noinline)) void instance(Kind, int n) {
#line 801
#pragma omp for schedule(dynamic, 1)
  for (int i = 0; i < n; i++) sink += i;
}
struct Alpha {};
struct Beta {};
TRUTH_FUNCTION void instances() {
#line 811
#pragma omp parallel num_threads(2)
  {
    instance(Alpha(), 4);
    instance(Beta(), 8);
  }
}

int main(int argc, char** argv) {
  iterations = truth::Iterations(static_cast<double>(truth::Argument(argc, argv, 1, 600)) / 3);
  loops();
  singles();
  sections();
  barriers();
  copies();
  tasks();
  twice();
  instances();
  truth::PrintProcess();
  return 0;
}
