// A library in which threads wait, named like OpenBLAS. See library_spin.cc.
#ifndef OMPPROF_TESTS_PROGRAMS_LIBRARY_SPIN_H_
#define OMPPROF_TESTS_PROGRAMS_LIBRARY_SPIN_H_

#include <stdint.h>

// Spins until the calling thread has used `cpu_ns` of CPU time.
extern "C" void spin_in_library(uint64_t cpu_ns);

#endif  // OMPPROF_TESTS_PROGRAMS_LIBRARY_SPIN_H_
