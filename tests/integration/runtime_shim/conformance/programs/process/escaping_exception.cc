// An exception that leaves a region ends the program by std::terminate, as without a tool.
// EXIT: -6
// STDERR: terminate called
#include <stdexcept>

#include "conformance.h"

int main() {
#pragma omp parallel num_threads(2)
  throw std::runtime_error("out");
  return 0;
}
