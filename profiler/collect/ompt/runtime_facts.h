// Facts about each OpenMP runtime of the process, from its initialization of the tool (tool.h).
#ifndef OMPPROF_PROFILER_COLLECT_OMPT_RUNTIME_FACTS_H_
#define OMPPROF_PROFILER_COLLECT_OMPT_RUNTIME_FACTS_H_

#include <stdint.h>

#include <atomic>

#include "profiler/collect/tasks/entry_points.h"

namespace ompprof::collect {

// The number of callbacks that the collector registers (callbacks.h).
inline constexpr uint32_t kRegistrations = 23;

// The contents of the profile's Runtime message.
struct RuntimeFacts {
  static constexpr uint32_t kMaxEnumerators = 64;
  struct Enumerator {
    const char* name;  // in the runtime's own storage
    int value;
  };
  char version[256];
  const char* generation;  // of OMPT, as reports name it
  uint32_t omp_version;
  Enumerator states[kMaxEnumerators];
  uint32_t state_count;
  Enumerator mutex_impls[kMaxEnumerators];
  uint32_t mutex_impl_count;
  const char* missing[32];  // names of entry points for which the lookup returned NULL
  uint32_t missing_count;
  int callback_results[kRegistrations];  // ompt_set_result_t, by registration
  uintptr_t code;                        // an address in the runtime
};

// Written by the tool's initializer.
struct KnownRuntime {
  RuntimeFacts facts;
  std::atomic<bool> complete;  // `facts` are complete and do not change any more
};
extern KnownRuntime known_runtimes[kMaxRuntimes];

// The facts of runtime 0 .. kMaxRuntimes - 1; NULL before the runtime has initialized the tool. Any thread.
const RuntimeFacts* Facts(int runtime);

// Whether this is GCC's runtime, under a shim.
bool IsGomp(int runtime);
bool IsGomp(const RuntimeFacts& facts);

// Whether the runtime with this number is the profiler's shim for GCC's libgomp, according to its version. The shim's
// code is the profiler's own, and libgomp is another object.
bool IsShim(int runtime);

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_OMPT_RUNTIME_FACTS_H_
