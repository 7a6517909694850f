// _exit: nothing more is reported, and nothing hangs.
// EXIT: 5
// STDOUT: leaving
#include <unistd.h>

#include "conformance.h"

int main(void) {
#pragma omp parallel num_threads(2)
  conf_state();
  if (write(1, "leaving\n", 8) != 8) return 1;
  _exit(5);
}
