// Uses only functions of libgomp that the shim has.
#include <stdio.h>

int main(void) {
  int sum = 0;
#pragma omp parallel num_threads(3)
#pragma omp critical
  sum++;
  printf("sum %d\n", sum);
  return 0;
}
