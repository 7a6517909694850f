// A program without OpenMP. It loads a library with OpenMP, runs and unloads it, and does so again.
//   dlopen_omp LIBRARY [CPU_MS]
#include <dlfcn.h>

#include "truth.h"

TRUTH_WORK(host_work)

static truth::Account host("function", "host_work"), library("function", "library_work");

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const double ms = static_cast<double>(truth::Argument(argc, argv, 2, 5000)) / 2;
  for (int round = 0; round < 2; round++) {
    void* handle = dlopen(argv[1], RTLD_NOW);
    if (handle == nullptr) {
      fprintf(stderr, "%s\n", dlerror());
      return 1;
    }
    auto* run = reinterpret_cast<uint64_t (*)(double)>(dlsym(handle, "library_run"));
    if (run == nullptr) return 1;
    library.Add(run(ms * 0.6));
    dlclose(handle);
    truth::Timed timed(host);
    host_work(truth::Iterations(ms * 0.4));
  }
  host.Print();
  library.Print();
  truth::PrintProcess();
  return 0;
}
