// What each OpenMP runtime of the process said of itself as it initialized the tool (tool.h).
#ifndef OMPPROF_PROFILER_COLLECT_OMPT_RUNTIME_FACTS_H_
#define OMPPROF_PROFILER_COLLECT_OMPT_RUNTIME_FACTS_H_

#include <stdint.h>

#include <atomic>

#include "profiler/collect/tasks/entry_points.h"

namespace ompprof::collect {

// How many callbacks the collector wants (callbacks.h).
inline constexpr uint32_t kRegistrations = 18;

// What the writer puts into the profile's Runtime message.
struct RuntimeFacts {
  static constexpr uint32_t kMaxEnumerators = 64;
  struct Enumerator {
    const char* name;  // the runtime's own storage
    int value;
  };
  char version[256];
  uint32_t omp_version;
  Enumerator states[kMaxEnumerators];
  uint32_t state_count;
  Enumerator mutex_impls[kMaxEnumerators];
  uint32_t mutex_impl_count;
  const char* missing[32];  // names of entry points the lookup answered with NULL
  uint32_t missing_count;
  int callback_results[kRegistrations];  // ompt_set_result_t, by registration
  uintptr_t code;                        // an address in the runtime
};

// Written by the tool's initializer.
struct KnownRuntime {
  RuntimeFacts facts;
  std::atomic<bool> complete;  // `facts` are, and stay so
};
extern KnownRuntime known_runtimes[kMaxRuntimes];

// Of runtime 0 .. kMaxRuntimes - 1; NULL as long as it has not initialized the tool. Any thread.
const RuntimeFacts* Facts(int runtime);

// It is GCC's, under a shim.
bool IsGomp(int runtime);
bool IsGomp(const RuntimeFacts& facts);

// Whether the runtime of that number is the profiler's shim before GCC's libgomp, by the version that it gives: its
// code is the profiler's own, and libgomp is an object beside it.
bool IsShim(int runtime);

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_OMPT_RUNTIME_FACTS_H_
