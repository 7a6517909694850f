// A program without OpenMP that asks whether there is OpenMP.
#include <stdio.h>

__attribute__((weak)) int omp_get_max_threads(void);
__attribute__((weak)) int omp_in_parallel(void);
__attribute__((weak)) double omp_get_wtime(void);

int main(void) {
  if (omp_get_max_threads != NULL) return 1;
  if (omp_in_parallel != NULL) return 2;
  if (omp_get_wtime != NULL) return 3;
  puts("done");
  return 0;
}
