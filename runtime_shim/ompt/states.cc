#include "runtime_shim/ompt/states.h"

#include <omp-tools.h>

namespace gomp_ompt {
namespace {

// A tool begins with the first value.
#define STATE(name) \
  { ompt_state_##name, "ompt_state_" #name }

constexpr NamedValue kStates[] = {
    STATE(undefined),
    STATE(work_serial),
    STATE(work_parallel),
    STATE(work_reduction),
    STATE(wait_barrier_implicit_parallel),
    STATE(wait_barrier_implicit_workshare),
    STATE(wait_barrier_explicit),
    STATE(wait_barrier_implementation),
    STATE(wait_taskwait),
    STATE(wait_taskgroup),
    STATE(wait_lock),
    STATE(wait_critical),
    STATE(wait_atomic),
    STATE(wait_ordered),
    STATE(wait_target),
    STATE(wait_target_map),
    STATE(wait_target_update),
    STATE(idle),
    STATE(overhead),
};

#undef STATE

constexpr NamedValue kMutexImplementations[] = {
    {kMutexNone, "libgomp_mutex_none"},
    {kMutexFutex, "libgomp_mutex_futex"},
    {kMutexSemaphore, "libgomp_mutex_semaphore"},
};

}  // namespace

int EnumerateStates(int current, int* next, const char** next_name) {
  return NextValue(kStates, current, next, next_name);
}

int EnumerateMutexImplementations(int current, int* next, const char** next_name) {
  return NextValue(kMutexImplementations, current, next, next_name);
}

}  // namespace gomp_ompt
