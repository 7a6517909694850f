// target data, target enter data, target exit data, target update. On the host they move nothing. libgomp returns at
// once, or when the dependences are fulfilled.
#include <stddef.h>

#include "runtime_shim/gomp/device_target.h"
#include "runtime_shim/gomp/map_clauses.h"
#include "runtime_shim/gomp/plugin.h"
#include "runtime_shim/gomp/real.h"
#include "runtime_shim/gomp/target_events.h"

namespace gomp_ompt {
namespace {

DECLARE_REAL(GOMP_target_data, void(int, const void*, size_t, void**, size_t*, unsigned char*));
DECLARE_REAL(GOMP_target_data_ext, void(int, size_t, void**, size_t*, unsigned short*));
DECLARE_REAL(GOMP_target_end_data, void());
DECLARE_REAL(GOMP_target_update, void(int, const void*, size_t, void**, size_t*, unsigned char*));
DECLARE_REAL(GOMP_target_update_ext, void(int, size_t, void**, size_t*, unsigned short*, unsigned, void**));
DECLARE_REAL(GOMP_target_enter_exit_data, void(int, size_t, void**, size_t*, unsigned short*, unsigned, void**));
DECLARE_REAL(omp_in_final, int());

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

struct Clauses {
  size_t count;
  void** addresses;
  size_t* sizes;
  unsigned short* kinds;  // NULL: in the form of gcc before version 6, which target_map does not show
};

// `call` gets the device's number.
template <class Call>
void EnterTargetData(int device, const Clauses& clauses, const Caller& caller, Call call) {
  Task* task = this_thread.current;
  Target* target = MakeTarget(ompt_target_enter_data, ResolveDevice(device), caller);
  InTargetData(target, caller, [&] {
    if (!IsWatched(target->device_num)) return call(device);
    // libgomp overwrites the addresses of use_device_ptr clauses, which are none of target_map's.
    if (clauses.kinds != nullptr)
      RememberMapClauses(target, clauses.count, clauses.addresses, clauses.sizes, clauses.kinds);
    {
      const WorkingFor working(target);
      call(target->device_num);
    }
    ReportMaps(target);
    ForgetMapClauses(target);
  });
  target->next = task->open_data;
  task->open_data = target;
}

// A construct with a target task.
struct Construct {
  ompt_target_t kind;
  int device;
  ompt_state_t state;
  bool nowait;
  void** depend;
  Clauses maps;  // of enter data and exit data
};

// With dependences, the task begins when they are fulfilled, and libgomp waits for this within the call. Its work on
// the host takes no time, so there the region follows the call.
template <class Call>
void RunOnHost(Thread& thread, Target* target, const Construct& construct, Call call) {
  const uint32_t epoch = ToolEpoch();
  GenerateTargetTask(thread, target, false, construct.depend);
  const bool waits_first = construct.depend != nullptr && IsHost(target->device_num);
  if (waits_first) {
    call(construct.device);
    if (ToolEpoch() != epoch) return;
  }
  BeginTargetTask(thread, target);
  thread.state = construct.state;
  if (!waits_first) call(construct.device);
  if (ToolEpoch() == epoch) EndTargetTask(thread, target);
}

// libgomp defers such a task only if it has nowait, and dependences that are not fulfilled. A task that has done
// something when the call returns was not deferred. Of one that has not, libgomp does not say whether it was.
template <class Call>
void RunOnWatchedDevice(Thread& thread, Target* target, const Construct& construct, Call call) {
  const uint32_t epoch = ToolEpoch();
  const bool is_deferred = construct.nowait && construct.depend != nullptr && !REAL(omp_in_final)();
  const Clauses& maps = construct.maps;
  if (maps.kinds != nullptr) RememberMapClauses(target, maps.count, maps.addresses, maps.sizes, maps.kinds);
  Task* generator = thread.current;
  GenerateTargetTask(thread, target, is_deferred, construct.depend);
  ExpectOnDevice(target, is_deferred, construct.state, generator);
  const bool is_exit = construct.kind == ompt_target_exit_data || construct.kind == ompt_target_exit_data_nowait;
  if (construct.depend == nullptr) {
    BeginOperation(thread, target);
    if (is_exit) ReportMaps(target);
  }
  {
    const WorkingFor working(target);
    call(target->device_num);
  }
  if (ToolEpoch() != epoch) return;
  if (is_deferred)
    FinishIfBegun(thread, target);
  else
    FinishOnDevice(thread, target);
}

// `call` gets the device's number.
template <class Call>
void RunTargetTask(const Construct& construct, const Caller& caller, Call call) {
  Thread& thread = this_thread;
  InRuntime in_runtime(caller);
  InState waiting(construct.state);
  Target* target = MakeTarget(construct.kind, ResolveDevice(construct.device), caller);
  if (IsWatched(target->device_num))
    RunOnWatchedDevice(thread, target, construct, call);
  else
    RunOnHost(thread, target, construct, call);
}

}  // namespace

EXPORTED void GOMP_target_data(int device, const void* unused, size_t count, void** addresses, size_t* sizes,
                               unsigned char* kinds) {
  if (!Tracing()) return REAL(GOMP_target_data)(device, unused, count, addresses, sizes, kinds);
  EnterTargetData(device, Clauses{}, CALLER(), [&](int number) {
    REAL(GOMP_target_data)(number, unused, count, addresses, sizes, kinds);
  });
}

EXPORTED void GOMP_target_data_ext(int device, size_t count, void** addresses, size_t* sizes, unsigned short* kinds) {
  if (!Tracing()) return REAL(GOMP_target_data_ext)(device, count, addresses, sizes, kinds);
  EnterTargetData(device, {count, addresses, sizes, kinds}, CALLER(), [&](int number) {
    REAL(GOMP_target_data_ext)(number, count, addresses, sizes, kinds);
  });
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
  InTargetData(target, caller, [&] {
    if (!IsWatched(target->device_num)) return REAL(GOMP_target_end_data)();
    const WorkingFor working(target);
    REAL(GOMP_target_end_data)();
  });
  FreeTarget(this_thread, target);
}

EXPORTED void GOMP_target_update(int device, const void* unused, size_t count, void** addresses, size_t* sizes,
                                 unsigned char* kinds) {
  if (!Tracing()) return REAL(GOMP_target_update)(device, unused, count, addresses, sizes, kinds);
  const Construct construct = {ompt_target_update, device, ompt_state_wait_target_update, false, nullptr, Clauses{}};
  RunTargetTask(construct, CALLER(), [&](int number) {
    REAL(GOMP_target_update)(number, unused, count, addresses, sizes, kinds);
  });
}

EXPORTED void GOMP_target_update_ext(int device, size_t count, void** addresses, size_t* sizes, unsigned short* kinds,
                                     unsigned flags, void** depend) {
  if (!Tracing()) return REAL(GOMP_target_update_ext)(device, count, addresses, sizes, kinds, flags, depend);
  const bool nowait = (flags & kTargetNowait) != 0;
  const Construct construct = {nowait ? ompt_target_update_nowait : ompt_target_update,
                               device,
                               ompt_state_wait_target_update,
                               nowait,
                               depend,
                               Clauses{}};
  RunTargetTask(construct, CALLER(), [&](int number) {
    REAL(GOMP_target_update_ext)(number, count, addresses, sizes, kinds, flags, depend);
  });
}

EXPORTED void GOMP_target_enter_exit_data(int device, size_t count, void** addresses, size_t* sizes,
                                          unsigned short* kinds, unsigned flags, void** depend) {
  if (!Tracing()) return REAL(GOMP_target_enter_exit_data)(device, count, addresses, sizes, kinds, flags, depend);
  const bool nowait = (flags & kTargetNowait) != 0;
  ompt_target_t kind = (flags & kTargetExitData) != 0 ? ompt_target_exit_data : ompt_target_enter_data;
  if (nowait) kind = kind == ompt_target_exit_data ? ompt_target_exit_data_nowait : ompt_target_enter_data_nowait;
  const Construct construct = {kind,   device, ompt_state_wait_target_map,
                               nowait, depend, {count, addresses, sizes, kinds}};
  RunTargetTask(construct, CALLER(), [&](int number) {
    REAL(GOMP_target_enter_exit_data)(number, count, addresses, sizes, kinds, flags, depend);
  });
}

}  // namespace gomp_ompt
