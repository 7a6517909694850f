#include "profiler/collect/preload.h"

#include <omp-tools.h>
#include <pthread.h>
#include <stdlib.h>

#include <atomic>

#include "profiler/collect/exported.h"
#include "profiler/collect/ompt/tool.h"
#include "profiler/collect/real_functions.h"
#include "profiler/collect/session.h"

namespace ompprof::collect {
namespace {

void AtQuickExit() { ShutDownSession("quick_exit"); }

__attribute__((constructor)) void Load() { StartOnce(); }

__attribute__((destructor)) void Unload() { ShutDownSession("exit"); }

}  // namespace

void StartOnce() {
  static std::atomic<bool> begun;
  if (begun.load(std::memory_order_relaxed) || begun.exchange(true)) return;
  FindRealFunctions();
  if (!StartSession()) return;
  pthread_atfork(nullptr, nullptr, RestartSessionInChild);
  at_quick_exit(AtQuickExit);
}

}  // namespace ompprof::collect

OMPPROF_EXPORT ompt_start_tool_result_t* ompt_start_tool(unsigned int omp_version, const char* runtime_version) {
  ompprof::collect::StartOnce();
  return ompprof::collect::StartTool(omp_version, runtime_version);
}
