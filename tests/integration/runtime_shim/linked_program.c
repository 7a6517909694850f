// Uses only functions that the shim has: of libgomp, and of OMPT's first generation.
#include <stdint.h>
#include <stdio.h>

void ompt_control(uint64_t command, uint64_t modifier);

int main(void) {
  int sum = 0;
#pragma omp parallel num_threads(3)
#pragma omp critical
  sum++;
  ompt_control(1, 0);
  printf("sum %d\n", sum);
  return 0;
}
