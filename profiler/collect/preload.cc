// Life and death of the collector in the program's process.
#include <pthread.h>
#include <stdlib.h>

#include "profiler/collect/real_functions.h"
#include "profiler/collect/session.h"

namespace ompprof::collect {
namespace {

void AtQuickExit() { ShutDownSession("quick_exit"); }

__attribute__((constructor)) void Load() {
  FindRealFunctions();
  if (!StartSession()) return;
  pthread_atfork(nullptr, nullptr, RestartSessionInChild);
  at_quick_exit(AtQuickExit);
}

__attribute__((destructor)) void Unload() { ShutDownSession("exit"); }

}  // namespace
}  // namespace ompprof::collect
