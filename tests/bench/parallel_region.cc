#include "tests/bench/parallel_region.h"

#include <stdint.h>
#include <stdlib.h>

extern "C" {
// The declarations of libomp's kmp.h.
struct ident_t {
  int32_t reserved_1, flags, reserved_2, reserved_3;
  const char* source;
};
void __kmpc_fork_call(ident_t* location, int32_t argument_count, void (*microtask)(int32_t*, int32_t*, ...), ...);
void __kmpc_push_num_threads(ident_t* location, int32_t thread, int32_t count);
int32_t __kmpc_global_thread_num(ident_t* location);
int omp_get_thread_num();
}

namespace ompprof::bench {
namespace {

struct Work {
  bool worker;
  const std::function<void()>* job;
};

ident_t g_location = {0, 2, 0, 0, ";unknown;unknown;0;0;;"};

void Outlined(int32_t*, int32_t*, const Work* work) {
  if ((omp_get_thread_num() != 0) == work->worker) (*work->job)();
}

}  // namespace

void InRegion(bool worker, const std::function<void()>& job) {
  setenv("KMP_BLOCKTIME", "0", 1);  // the runtime reads it at its first call: a waiting thread sleeps at once
  Work work = {worker, &job};
  __kmpc_push_num_threads(&g_location, __kmpc_global_thread_num(&g_location), 2);
  __kmpc_fork_call(&g_location, 1, reinterpret_cast<void (*)(int32_t*, int32_t*, ...)>(Outlined), &work);
}

}  // namespace ompprof::bench
