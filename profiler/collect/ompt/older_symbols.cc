// A library of two symbols, by which runtimes older than OpenMP 5.0 find a tool: ompt_initialize (Technical Report 2,
// spec 003, 6.1.1) and ompt_tool (the draft after it, spec 004). Tools for OpenMP 5.x like to name functions of their
// own ompt_initialize, and libompprof.so must not take these away. So the symbols are in this library, which is
// preloaded as well if the program's runtime looks for them.
#include <dlfcn.h>
#include <omp-tools.h>

#include "profiler/collect/base/exported.h"

// Of libompprof.so, which is loaded before this library (process/preload.cc).
extern "C" __attribute__((weak)) int ompprof_start_older_tool(bool draft, ompt_function_lookup_t lookup,
                                                              const char* runtime_version);

namespace {

using InitializeDraft = void (*)(ompt_function_lookup_t lookup, const char* runtime_version, unsigned int ompt_version);

// Another tool's function, or the runtime's own, which declines.
template <typename Function>
Function* Next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

bool WithoutProfiler() {
  return ompprof_start_older_tool == nullptr || ompprof_start_older_tool(true, nullptr, nullptr) == 0;
}

void InitializeAsDraft(ompt_function_lookup_t lookup, const char* runtime_version, unsigned int) {
  ompprof_start_older_tool(true, lookup, runtime_version);
}

}  // namespace

OMPPROF_EXPORT int ompt_initialize(ompt_function_lookup_t lookup, const char* runtime_version,
                                   unsigned int ompt_version) {
  if (!WithoutProfiler()) return ompprof_start_older_tool(false, lookup, runtime_version);
  auto* next = Next<int(ompt_function_lookup_t, const char*, unsigned int)>("ompt_initialize");
  return next != nullptr ? next(lookup, runtime_version, ompt_version) : 0;
}

OMPPROF_EXPORT InitializeDraft ompt_tool() {
  if (!WithoutProfiler()) return InitializeAsDraft;
  auto* next = Next<InitializeDraft()>("ompt_tool");
  return next != nullptr ? next() : nullptr;
}
