#include "profiler/collect/base/start_affinity.h"

#include <sys/syscall.h>

#include "profiler/collect/arch/system_call.h"

namespace {
ompprof::collect::ProcessorSet at_start;
}  // namespace

// The loader calls the resolver of a function with many versions when it binds calls of it (ifunc). The resolver runs
// before this library is wholly bound, so it calls no function.
extern "C" {
__attribute__((visibility("hidden"), used)) void (*ompprof_resolve_start())();
__attribute__((visibility("hidden"), ifunc("ompprof_resolve_start"))) void ompprof_started();
}

static void DoNothing() {}

void (*ompprof_resolve_start())() {
  ompprof::collect::arch::RawSyscall(SYS_sched_getaffinity, 0, sizeof(at_start.words),
                                     reinterpret_cast<long>(at_start.words), 0, 0, 0);
  return DoNothing;
}

namespace ompprof::collect {

ProcessorSet ProcessorsAtStart() {
  ompprof_started();  // without a call, there is nothing to bind
  return at_start.empty() ? ProcessorsOf(0) : at_start;
}

}  // namespace ompprof::collect
