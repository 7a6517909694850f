// A program without OpenMP that asks whether there is OpenMP.
#include <stdio.h>

__attribute__((weak)) int omp_get_max_threads(void);
__attribute__((weak)) int omp_in_parallel(void);
__attribute__((weak)) double omp_get_wtime(void);

int main(void) {
  if (omp_get_max_threads != NULL && omp_get_max_threads() != 1) return 1;
  if (omp_in_parallel != NULL && omp_in_parallel() != 0) return 2;
  if (omp_get_wtime != NULL && omp_get_wtime() <= 0) return 3;
  puts("done");
  return 0;
}
