// A program without device constructs, and with the argument `target` one that asks for a device.
#include <omp.h>
#include <stdio.h>

int main(int count, char** arguments) {
  (void)arguments;
  int sum = 0;
#pragma omp parallel num_threads(2) reduction(+ : sum)
  sum += 1;
  if (count > 1) {
#pragma omp target map(tofrom : sum)
    sum += 1;
  }
  printf("%d\n", sum);
  return 0;
}
