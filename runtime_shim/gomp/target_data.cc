// target data, target enter data, target exit data, target update. On the host they move nothing. libgomp returns at
// once, or when the dependences are fulfilled.
#include <stddef.h>

#include "runtime_shim/gomp/real.h"
#include "runtime_shim/gomp/target.h"

namespace gomp_ompt {
namespace {

DECLARE_REAL(GOMP_target_data, void(int, const void*, size_t, void**, size_t*, unsigned char*));
DECLARE_REAL(GOMP_target_data_ext, void(int, size_t, void**, size_t*, unsigned short*));
DECLARE_REAL(GOMP_target_end_data, void());
DECLARE_REAL(GOMP_target_update, void(int, const void*, size_t, void**, size_t*, unsigned char*));
DECLARE_REAL(GOMP_target_update_ext, void(int, size_t, void**, size_t*, unsigned short*, unsigned, void**));
DECLARE_REAL(GOMP_target_enter_exit_data, void(int, size_t, void**, size_t*, unsigned short*, unsigned, void**));

// The entry to a target data region, or the exit from it. `call` executes the region in the current task.
template <class Call>
void InTargetData(Target* target, const Caller& caller, Call call) {
  const uint32_t epoch = ToolEpoch();
  Task* task = this_thread.current;
  InRuntime in_runtime(caller);
  InState waiting(ompt_state_wait_target_map);
  Target* outer = task->target;
  task->target = target;
  ReportTarget(target, ompt_scope_begin);
  call();
  if (ToolEpoch() != epoch) return;
  ReportTarget(target, ompt_scope_end);
  task->target = outer;
}

template <class Call>
void EnterTargetData(int device, const Caller& caller, Call call) {
  Task* task = this_thread.current;
  Target* target = MakeTarget(ompt_target_enter_data, ResolveDevice(device), caller);
  InTargetData(target, caller, call);
  target->next = task->open_data;
  task->open_data = target;
}

// A construct with a target task. With dependences, the task begins when they are fulfilled, and libgomp waits for this
// within the call. Its work on the host takes no time, so there the region follows the call.
template <class Call>
void RunTargetTask(ompt_target_t kind, int device, ompt_state_t state, void** depend, const Caller& caller, Call call) {
  Thread& thread = this_thread;
  const uint32_t epoch = ToolEpoch();
  InRuntime in_runtime(caller);
  InState waiting(state);
  Target* target = MakeTarget(kind, ResolveDevice(device), caller);
  GenerateTargetTask(thread, target, false, depend);
  const bool waits_first = depend != nullptr && IsHost(target->device_num);
  if (waits_first) {
    call();
    if (ToolEpoch() != epoch) return;
  }
  BeginTargetTask(thread, target);
  thread.state = state;
  if (!waits_first) call();
  if (ToolEpoch() == epoch) EndTargetTask(thread, target);
}

}  // namespace

EXPORTED void GOMP_target_data(int device, const void* unused, size_t count, void** addresses, size_t* sizes,
                               unsigned char* kinds) {
  if (!Tracing()) return REAL(GOMP_target_data)(device, unused, count, addresses, sizes, kinds);
  EnterTargetData(device, CALLER(), [&] { REAL(GOMP_target_data)(device, unused, count, addresses, sizes, kinds); });
}

EXPORTED void GOMP_target_data_ext(int device, size_t count, void** addresses, size_t* sizes, unsigned short* kinds) {
  if (!Tracing()) return REAL(GOMP_target_data_ext)(device, count, addresses, sizes, kinds);
  EnterTargetData(device, CALLER(), [&] { REAL(GOMP_target_data_ext)(device, count, addresses, sizes, kinds); });
}

EXPORTED void GOMP_target_end_data() {
  if (!Tracing()) return REAL(GOMP_target_end_data)();
  const Caller caller = CALLER();
  Task* task = this_thread.current;
  Target* entered = task->open_data;
  if (entered == nullptr) return REAL(GOMP_target_end_data)();  // the region began before the tool came
  task->open_data = entered->next;
  Target* target = MakeTarget(ompt_target_exit_data, entered->device_num, caller);
  FreeTarget(this_thread, entered);
  InTargetData(target, caller, [] { REAL(GOMP_target_end_data)(); });
  FreeTarget(this_thread, target);
}

EXPORTED void GOMP_target_update(int device, const void* unused, size_t count, void** addresses, size_t* sizes,
                                 unsigned char* kinds) {
  if (!Tracing()) return REAL(GOMP_target_update)(device, unused, count, addresses, sizes, kinds);
  RunTargetTask(ompt_target_update, device, ompt_state_wait_target_update, nullptr, CALLER(), [&] {
    REAL(GOMP_target_update)(device, unused, count, addresses, sizes, kinds);
  });
}

EXPORTED void GOMP_target_update_ext(int device, size_t count, void** addresses, size_t* sizes, unsigned short* kinds,
                                     unsigned flags, void** depend) {
  if (!Tracing()) return REAL(GOMP_target_update_ext)(device, count, addresses, sizes, kinds, flags, depend);
  const ompt_target_t kind = (flags & kTargetNowait) != 0 ? ompt_target_update_nowait : ompt_target_update;
  RunTargetTask(kind, device, ompt_state_wait_target_update, depend, CALLER(), [&] {
    REAL(GOMP_target_update_ext)(device, count, addresses, sizes, kinds, flags, depend);
  });
}

EXPORTED void GOMP_target_enter_exit_data(int device, size_t count, void** addresses, size_t* sizes,
                                          unsigned short* kinds, unsigned flags, void** depend) {
  if (!Tracing()) return REAL(GOMP_target_enter_exit_data)(device, count, addresses, sizes, kinds, flags, depend);
  ompt_target_t kind = (flags & kTargetExitData) != 0 ? ompt_target_exit_data : ompt_target_enter_data;
  if ((flags & kTargetNowait) != 0)
    kind = kind == ompt_target_exit_data ? ompt_target_exit_data_nowait : ompt_target_enter_data_nowait;
  RunTargetTask(kind, device, ompt_state_wait_target_map, depend, CALLER(), [&] {
    REAL(GOMP_target_enter_exit_data)(device, count, addresses, sizes, kinds, flags, depend);
  });
}

}  // namespace gomp_ompt
