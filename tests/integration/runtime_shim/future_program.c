// Calls a GOMP_ function that no libgomp has yet (future_library.c stands for a future libgomp).
#include <omp.h>
#include <stdio.h>

int GOMP_from_the_future(int value);

int main(void) {
  int threads = 0;
  int sum = 0;
#pragma omp parallel num_threads(2) reduction(+ : threads, sum)
  {
    threads = 1;
    sum = GOMP_from_the_future(omp_get_thread_num());
  }
  printf("%d threads, %d from the future\n", threads, sum);
  return 0;
}
