// Parallel loops, tasks, nested regions and a reduction, for about as many seconds as the argument says.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#include <vector>

namespace {

long Fibonacci(int n) {
  if (n < 2) return n;
  long a = 0;
  long b = 0;
#pragma omp task shared(a) if (n > 14)
  a = Fibonacci(n - 1);
#pragma omp task shared(b) if (n > 14)
  b = Fibonacci(n - 2);
#pragma omp taskwait
  return a + b;
}

double Smooth(std::vector<double>* values) {
  const long size = static_cast<long>(values->size());
  double sum = 0;
#pragma omp parallel for schedule(dynamic, 64) reduction(+ : sum)
  for (long i = 1; i < size - 1; ++i) {
    (*values)[i] = ((*values)[i - 1] + (*values)[i] + (*values)[i + 1]) / 3 + 1e-9;
    sum += (*values)[i];
  }
  return sum;
}

double Nested() {
  double total = 0;
#pragma omp parallel num_threads(2) reduction(+ : total)
  {
#pragma omp parallel num_threads(2) reduction(+ : total)
    {
      for (int i = 0; i < 2000; ++i) total += 1.0 / (1 + i + omp_get_thread_num());
#pragma omp barrier
#pragma omp critical
      total += 1;
    }
  }
  return total;
}

}  // namespace

int main(int argc, char** argv) {
  const double seconds = argc > 1 ? atof(argv[1]) : 1;
  omp_set_max_active_levels(2);
  std::vector<double> values(100000, 1.0);
  double sum = 0;
  long fibonacci = 0;
  for (const double end = omp_get_wtime() + seconds; omp_get_wtime() < end;) {
    sum += Smooth(&values) + Nested();
#pragma omp parallel
#pragma omp single
    fibonacci += Fibonacci(20);
  }
  printf("%g %ld\n", sum, fibonacci);
}
