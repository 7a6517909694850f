// Tasks that create tasks: each is created, started and completed once, however many of them there are.
// ARGS: 16
#include <stdio.h>
#include <stdlib.h>

#include "conformance.h"

static int fibonacci(int n) {
  int a, b;
  if (n < 2) return n;
#pragma omp task shared(a)
  a = fibonacci(n - 1);
#pragma omp task shared(b) if (n > 4)
  b = fibonacci(n - 2);
#pragma omp taskwait
  return a + b;
}

int main(int argc, char** argv) {
  int result = 0;
  if (argc != 2) return 1;
#pragma omp parallel num_threads(4)
#pragma omp single
  result = fibonacci(atoi(argv[1]));
  printf("%d\n", result);
  return 0;
}

// STDOUT: 987
// COUNT: task_create == 3192
// COUNT: task_schedule status=switch == 3192
// COUNT: task_schedule status=complete == 3192
// COUNT: task_schedule == 6384
