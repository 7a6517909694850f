// A program by gcc, on libgomp, loads a library by clang, on libomp. It enters the library's regions from serial code
// and from a region of its own. Half of the CPU time is in the library, a third of that from within the region.
//   two_runtimes LIBRARY [CPU_MS]
#include <dlfcn.h>
#include <omp.h>

#include "truth.h"

TRUTH_WORK(own_work)

static uint64_t (*library_run)(double);

static truth::Account own("path", "main;own_region;own_work"),
    from_serial("path", "main;call_from_serial;library_run;library_work"),
    from_within("path", "main;within_region;library_run;library_work");

TRUTH_FUNCTION void own_region(double ms) {
#pragma omp parallel num_threads(2)
  {
    truth::Timed timed(own);
    own_work(truth::Iterations(ms / omp_get_num_threads()));
  }
  TRUTH_NO_TAIL_CALL();
}

TRUTH_FUNCTION void call_from_serial(double ms) {
  from_serial.Add(library_run(ms));
  TRUTH_NO_TAIL_CALL();
}

// To libomp, every thread of libgomp's team is a new initial thread.
TRUTH_FUNCTION void within_region(double ms) {
#pragma omp parallel num_threads(2)
  from_within.Add(library_run(ms / omp_get_num_threads()));
  TRUTH_NO_TAIL_CALL();
}

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const double ms = static_cast<double>(truth::Argument(argc, argv, 2, 5000)) / 2;
  // The library's omp_ functions are then libgomp's, as in every process with both runtimes; its regions are libomp's.
  void* handle = dlopen(argv[1], RTLD_NOW);
  if (handle == nullptr) {
    fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  library_run = reinterpret_cast<uint64_t (*)(double)>(dlsym(handle, "library_run"));
  if (library_run == nullptr) return 1;
  truth::Iterations(1);
  for (int round = 0; round < 2; round++) {
    own_region(ms * 0.5);
    call_from_serial(ms * 0.33);
    within_region(ms * 0.17);
  }
  own.Print();
  from_serial.Print();
  from_within.Print();
  truth::PrintProcess();
  return 0;
}
