// A library named like OpenBLAS, with a thread of its own that does half of each call's work. See nested_library.cc.
#ifndef OMPPROF_TESTS_PROGRAMS_NESTED_LIBRARY_H_
#define OMPPROF_TESTS_PROGRAMS_NESTED_LIBRARY_H_

#include <stdint.h>

// Works for `iterations`. With OPENBLAS_NUM_THREADS=1 the calling thread does all of it.
extern "C" void multiply_in_library(uint64_t iterations);

#endif  // OMPPROF_TESTS_PROGRAMS_NESTED_LIBRARY_H_
