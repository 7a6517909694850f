// The common parts of the fault matrix's hosts: a mode that argv names, work of a known length, and an OpenMP region
// before the work if wanted. A host's output is the same on every run.
//   HOST MODE [MS] [openmp]
#ifndef OMPPROF_TESTS_FAULTS_HOST_H_
#define OMPPROF_TESTS_FAULTS_HOST_H_

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/programs/truth.h"

TRUTH_WORK(fault_work)

namespace faults {

inline double total_ms = 300;  // the work of a mode, about

// Work of a CPU time that was measured beforehand: no system call, no clock.
inline void Work(double ms) { fault_work(truth::Iterations(ms)); }

TRUTH_FUNCTION inline void FaultRegion(double ms) {
#pragma omp parallel num_threads(2)
  fault_work(truth::Iterations(ms / 2));
  TRUTH_NO_TAIL_CALL();
}

// Ends with a line about the failure if `good` is false.
inline void Expect(bool good, const char* what) {
  if (good) return;
  printf("WRONG: %s\n", what);
  fflush(stdout);
}

inline int WaitFor(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

struct Mode {
  const char* name;
  int (*run)();
};

template <size_t count>
int Run(int argc, char** argv, const Mode (&modes)[count]) {
  total_ms = static_cast<double>(truth::Argument(argc, argv, 2, 300));
  truth::Iterations(1);
  if (argc > 3 && strcmp(argv[3], "openmp") == 0) FaultRegion(total_ms / 3);
  for (const Mode& mode : modes) {
    if (argc > 1 && strcmp(argv[1], mode.name) == 0) return mode.run();
  }
  fprintf(stderr, "no such mode; there are:");
  for (const Mode& mode : modes) fprintf(stderr, " %s", mode.name);
  fprintf(stderr, "\n");
  return 2;
}

}  // namespace faults

#endif  // OMPPROF_TESTS_FAULTS_HOST_H_
