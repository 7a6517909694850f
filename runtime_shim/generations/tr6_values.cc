#include "runtime_shim/generations/tr6_values.h"

#include "runtime_shim/ompt/states.h"

namespace gomp_ompt {
namespace tr6 {
namespace {

#define STATE(name) \
  { ompt_state_##name, "omp_state_" #name }

// A tool begins with the first. Their values are those of OpenMP 5.1.
constexpr NamedValue kStates[] = {
    STATE(undefined),
    STATE(work_serial),
    STATE(work_parallel),
    STATE(work_reduction),
    STATE(wait_barrier),
    STATE(wait_barrier_implicit_parallel),
    STATE(wait_barrier_implicit_workshare),
    STATE(wait_barrier_explicit),
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

}  // namespace

// OpenMP 5.0 put two events for devices behind kDeviceFinalize.
ompt_callbacks_t FiveOf(Event event) {
  return static_cast<ompt_callbacks_t>(event > kDeviceFinalize ? event + 2 : static_cast<int>(event));
}

SetResult ResultOf(Event event, ompt_set_result_t result) {
  if (event <= kDeviceFinalize) return kSetAlways;
  switch (result) {
    case ompt_set_error:
      return kSetError;
    case ompt_set_sometimes:
      return kSetSometimes;
    case ompt_set_sometimes_paired:
      return kSetSometimesPaired;
    case ompt_set_always:
      return kSetAlways;
    default:
      return kSetNever;
  }
}

int SyncRegionOf(ompt_sync_region_t kind) {
  switch (kind) {
    case ompt_sync_region_taskwait:
      return 2;
    case ompt_sync_region_taskgroup:
      return 3;
    case ompt_sync_region_reduction:
      return 0;
    default:
      return 1;
  }
}

int MutexOf(ompt_mutex_t kind) {
  switch (kind) {
    case ompt_mutex_lock:
    case ompt_mutex_test_lock:
      return 0x11;
    case ompt_mutex_nest_lock:
    case ompt_mutex_test_nest_lock:
      return 0x12;
    case ompt_mutex_critical:
      return 0x13;
    case ompt_mutex_atomic:
      return 0x14;
    case ompt_mutex_ordered:
      return 0x20;
    default:
      return 0;
  }
}

int StatusOf(ompt_task_status_t status) {
  constexpr int kOthers = 4;
  switch (status) {
    case ompt_task_complete:
    case ompt_task_yield:
    case ompt_task_cancel:
      return status;
    case ompt_task_detach:
    case ompt_task_switch:
      return kOthers;
    default:
      return 0;  // no task is switched: an event is fulfilled, or a taskwait with dependences is over
  }
}

int WorkOf(ompt_work_t kind) { return kind <= ompt_work_taskloop ? kind : 0; }

unsigned DependenceOf(ompt_dependence_type_t type) {
  constexpr unsigned kOut = 1;
  constexpr unsigned kIn = 2;
  switch (type) {
    case ompt_dependence_type_in:
      return kIn;
    case ompt_dependence_type_out:
      return kOut;
    case ompt_dependence_type_source:
    case ompt_dependence_type_sink:
      return 0;
    default:
      return kIn | kOut;
  }
}

int TargetOf(ompt_target_t kind) {
  constexpr int kNowait = 8;
  return kind & ~kNowait;
}

int InvokerOf(int parallel_flags) {
  return parallel_flags & (ompt_parallel_invoker_program | ompt_parallel_invoker_runtime);
}

int StateOf(int state) {
  return state == ompt_state_wait_barrier_implementation ? static_cast<int>(ompt_state_wait_barrier) : state;
}

int EnumerateStates(int current, int* next, const char** next_name) {
  return NextValue(kStates, current, next, next_name);
}

}  // namespace tr6
}  // namespace gomp_ompt
