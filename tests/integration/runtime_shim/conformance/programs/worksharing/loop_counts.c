// The reported number of a loop's iterations, for every way to count, and the logical number of a chunk's first
// iteration. One thread, so that it gets every chunk.
// VARIANTS: -O0 | -O2
#include "conformance.h"

static volatile long n = 7, zero = 0;
static volatile unsigned long long big = 0xfffffffffffffff0u;
static long done = 0;

int main(void) {
#pragma omp parallel num_threads(1)
  {
#pragma omp for schedule(dynamic, 3)
    for (long i = 0; i < n; i++) done++;
#pragma omp for schedule(dynamic, 3)
    for (long i = 20; i > 0; i -= 3) done++;
#pragma omp for schedule(dynamic)
    for (long i = -4; i <= n - 7; i += 2) done++;
#pragma omp for schedule(dynamic)
    for (long i = n; i < zero; i++) done++;
#pragma omp for schedule(dynamic) collapse(2)
    for (long i = 0; i < 2; i++)
      for (long j = 0; j < 2; j++) done++;
#pragma omp for schedule(dynamic, 2)
    for (unsigned long long i = big; i < big + 10; i += 3) done++;
#pragma omp for schedule(dynamic, 2)
    for (unsigned long long i = big; i > big - 8; i -= 2) done++;
    conf_mark("end");
  }
  return done != 7 + 7 + 3 + 4 + 4 + 4;
}

// IGNORE: task_info parallel_info
// EXPECT(initial): work work=loop endpoint=begin count=7
// EXPECT(initial)[gomp no-dispatch]: dispatch kind=iteration instance=0
// EXPECT(initial)[gomp no-dispatch]: dispatch kind=iteration instance=3
// EXPECT(initial)[gomp no-dispatch]: dispatch kind=iteration instance=6
// EXPECT(initial): work work=loop endpoint=end
// EXPECT(initial): work work=loop endpoint=begin count=7
// EXPECT(initial)[gomp no-dispatch]: dispatch kind=iteration instance=0
// EXPECT(initial)[gomp no-dispatch]: dispatch kind=iteration instance=3
// EXPECT(initial)[gomp no-dispatch]: dispatch kind=iteration instance=6
// EXPECT(initial): work work=loop endpoint=end
// EXPECT(initial): work work=loop endpoint=begin count=3
// EXPECT(initial)[gomp no-dispatch]: dispatch kind=iteration instance=0
// EXPECT(initial)[gomp no-dispatch]: dispatch kind=iteration instance=1
// EXPECT(initial)[gomp no-dispatch]: dispatch kind=iteration instance=2
// EXPECT(initial): work work=loop endpoint=end
// EXPECT(initial)[gomp empty-loop]: work work=loop endpoint=begin count=0
// EXPECT(initial)[gomp empty-loop]: work work=loop endpoint=end
// EXPECT(initial): work work=loop endpoint=begin count=4
// EXPECT(initial)[gomp no-dispatch]: dispatch kind=iteration instance=0
// EXPECT(initial)[gomp no-dispatch]: dispatch kind=iteration instance=1
// EXPECT(initial)[gomp no-dispatch]: dispatch kind=iteration instance=2
// EXPECT(initial)[gomp no-dispatch]: dispatch kind=iteration instance=3
// EXPECT(initial): work work=loop endpoint=end
// EXPECT(initial): work work=loop endpoint=begin count=4
// EXPECT(initial)[gomp no-dispatch]: dispatch kind=iteration instance=0
// EXPECT(initial)[gomp no-dispatch]: dispatch kind=iteration instance=2
// EXPECT(initial): work work=loop endpoint=end
// EXPECT(initial): work work=loop endpoint=begin count=4
// EXPECT(initial)[gomp no-dispatch]: dispatch kind=iteration instance=0
// EXPECT(initial)[gomp no-dispatch]: dispatch kind=iteration instance=2
// EXPECT(initial): work work=loop endpoint=end
// EXPECT(initial): mark name=end
