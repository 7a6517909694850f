// target. On the host, a trampoline replaces the region's function. A device looks the function up by its address. So
// for a device, the shim passes the function unchanged, and sees only the call.
#include "runtime_shim/gomp/target_events.h"

#include <alloca.h>
#include <stddef.h>
#include <string.h>

#include "runtime_shim/gomp/device_target.h"
#include "runtime_shim/gomp/map_clauses.h"
#include "runtime_shim/gomp/order.h"
#include "runtime_shim/gomp/plugin.h"
#include "runtime_shim/gomp/real.h"
#include "runtime_shim/gomp/teams.h"

namespace gomp_ompt {
namespace {

using Outlined = void(void*);

DECLARE_REAL(GOMP_target, void(int, Outlined*, const void*, size_t, void**, size_t*, unsigned char*));
DECLARE_REAL(GOMP_target_ext, void(int, Outlined*, size_t, void**, size_t*, unsigned short*, unsigned, void**, void**));
DECLARE_REAL(omp_in_final, int());
DECLARE_REAL(omp_get_initial_device, int());
DECLARE_REAL(omp_target_is_present, int(const void*, int));

// The words of the args array (gcc's gomp-constants.h). Each word has the device, the kind of argument, and the value.
// Or the word says that the next word is the value.
constexpr intptr_t kArgumentDeviceMask = 0x7f;
constexpr intptr_t kArgumentValueFollows = 0x80;
constexpr intptr_t kArgumentWhatMask = 0xff00;
constexpr intptr_t kArgumentNumTeams = 0x100;
constexpr int kArgumentValueShift = 16;

constexpr intptr_t kUnknownTeams = -1;
constexpr intptr_t kWithoutTeams = -2;  // newer gccs; GCC 12 writes 1

// The construct's number of teams: 1 without teams, 0 with teams but without num_teams, kUnknownTeams where only the
// region's code can compute the number.
intptr_t NumTeams(void** arguments) {
  if (arguments == nullptr) return kUnknownTeams;
  while (*arguments != nullptr) {
    const auto word = reinterpret_cast<intptr_t>(*arguments++);
    intptr_t value = word >> kArgumentValueShift;
    if ((word & kArgumentValueFollows) != 0) value = reinterpret_cast<intptr_t>(*arguments++);
    if ((word & kArgumentDeviceMask) == 0 && (word & kArgumentWhatMask) == kArgumentNumTeams)
      return value == kWithoutTeams ? 1 : value;
  }
  return kUnknownTeams;
}

// For a device: 0 if the device decides, or if the number is not known.
unsigned RequestedTeams(void** arguments) {
  const intptr_t num_teams = NumTeams(arguments);
  return num_teams > 0 ? static_cast<unsigned>(num_teams) : 0;
}

unsigned RequestedTeamsOnHost(void** arguments) {
  return NumTeams(arguments) == 0 ? RequestedTeamsInTarget(0) : RequestedTeams(arguments);
}

// libgomp runs a region on the host if it has no code of the region for the device. It keeps the functions of a device
// among the device's mapped addresses. A device that executes the host's own functions has none there either.
bool FallsBack(int device_num, Outlined* function) {
  auto* is_present = Real_omp_target_is_present::Find();  // since GCC 6
  return is_present != nullptr && is_present(reinterpret_cast<const void*>(function), device_num) == 0;
}

// The device that executes the region. Of a device that the shim does not watch, it is not known whether the device
// executes the host's own functions. Then the region's function must stay as it is.
int ExecutingDevice(int device, Outlined* function) {
  const int device_num = ResolveDevice(device);
  if (IsHost(device_num) || !IsWatched(device_num) || RunsHostCode(device_num)) return device_num;
  return FallsBack(device_num, function) ? REAL(omp_get_initial_device)() : device_num;
}

// The state of a thread in a construct on a device that the shim does not watch. In all of GCC's plugins but the
// reference device, the region then runs on the host.
ompt_state_t StateOnUnwatched(const Target* target, Outlined* function) {
  if (!FallsBack(target->device_num, function)) return ompt_state_wait_target;
  return target->task->parallel != nullptr ? WorkState(target->task) : ompt_state_work_serial;
}

// The initial task that executes the region: libgomp gives it the internal control variables of a new task.
Task* BeginRegionTask(Thread& thread, Target* target) {
  Parallel* region = NewParallel(thread);
  region->primary = &thread;
  region->team_size.store(1, std::memory_order_relaxed);
  region->work_state = WorkState(target->task);
  Task* task = NewTask(thread);
  task->parallel = region;
  task->scheduling_parent = target->task;
  task->flags = ompt_task_initial;
  task->target = target;
  thread.current = task;
  if (auto* callback = OMPT_CALLBACK(implicit_task))
    callback(ompt_scope_begin, &region->data, &task->data, 1, 1, ompt_task_initial);
  return task;
}

void EndRegionTask(Thread& thread, Task* task) {
  if (auto* callback = OMPT_CALLBACK(implicit_task))
    callback(ompt_scope_end, nullptr, &task->data, 0, 1, ompt_task_initial);
  thread.current = task->scheduling_parent;
  EndGeneration(task->parallel);
  FreeParallel(thread, task->parallel);
  FreeTask(thread, task);
}

// ThreadSanitizer does not see that libgomp copies the array for a deferred task before it runs the task.
__attribute__((no_sanitize("thread"))) Target* RecordOf(void* const* addresses) {
  return static_cast<Target*>(addresses[0]);
}

// Replaces the region's function. The record of the region comes before the addresses of its variables.
void RunTargetRegion(void* argument) {
  void** addresses = static_cast<void**>(argument);
  Target* target = RecordOf(addresses);
  Receive(target);
  Thread& thread = this_thread;
  const uint32_t epoch = ToolEpoch();
  const bool is_reported = target->epoch == epoch && thread.epoch == epoch && thread.current != nullptr &&
                           thread.current->parallel != nullptr && IsToolActive();
  if (!is_reported) return target->function(addresses + 1);
  const InState state(ompt_state_overhead);
  BeginTargetTask(thread, target);
  // The target task's own code is the runtime's: the task leaves the runtime and returns to it at one place.
  ompt_frame_t& frame = target->task->frame;
  frame.exit_frame.ptr = frame.enter_frame.ptr = __builtin_frame_address(0);
  ReportSubmit(target, ompt_scope_begin);
  Task* task = BeginRegionTask(thread, target);
  task->frame.exit_frame.ptr = __builtin_frame_address(0);
  thread.state = WorkState(task);
  target->function(addresses + 1);
  if (ToolEpoch() != epoch) return;
  thread.state = ompt_state_overhead;
  EndOpenLeague(thread, __builtin_frame_address(0));
  task->frame.exit_frame = ompt_data_none;
  EndRegionTask(thread, task);
  if (target->workers != 0) ExpectEnds(target->workers);
  ReportSubmit(target, ompt_scope_end);
  EndTargetTask(thread, target);
}

// `call` gives the construct to libgomp.
template <class Call>
void RunOnWatchedDevice(Thread& thread, Target* target, bool is_deferred, void** depend, Call call) {
  const uint32_t epoch = ToolEpoch();
  Task* generator = thread.current;
  GenerateTargetTask(thread, target, is_deferred, depend);
  ExpectOnDevice(target, is_deferred, ompt_state_wait_target, generator);
  {
    const WorkingFor working(target);
    call();
  }
  if (!is_deferred && ToolEpoch() == epoch) FinishOnDevice(thread, target);
}

// Likewise, for a device of which the shim sees the construct's call alone. `target` is NULL for a target task that
// runs later: it is not seen.
template <class Call>
void RunOnUnwatchedDevice(Thread& thread, Target* target, Outlined* function, void** depend, Call call) {
  if (target == nullptr) return call();
  const uint32_t epoch = ToolEpoch();
  GenerateTargetTask(thread, target, false, depend);
  BeginTargetTask(thread, target);
  ReportSubmit(target, ompt_scope_begin);
  thread.state = StateOnUnwatched(target, function);
  {
    InOperation in_operation(thread, &target->host_op_id);
    call();
  }
  if (ToolEpoch() != epoch) return;
  ReportSubmit(target, ompt_scope_end);
  EndTargetTask(thread, target);
}

}  // namespace

EXPORTED void GOMP_target_ext(int device, Outlined* function, size_t count, void** addresses, size_t* sizes,
                              unsigned short* kinds, unsigned flags, void** depend, void** arguments) {
  if (!Tracing())
    return REAL(GOMP_target_ext)(device, function, count, addresses, sizes, kinds, flags, depend, arguments);
  const Caller caller = CALLER();
  Thread& thread = this_thread;
  const int device_num = ExecutingDevice(device, function);
  const bool nowait = (flags & kTargetNowait) != 0;
  const bool is_deferred = nowait && !REAL(omp_in_final)();
  if (nowait) NeedTeam(thread.current);
  InRuntime in_runtime(caller);
  InState waiting(is_deferred ? ompt_state_overhead : ompt_state_wait_target);
  if (IsWatched(device_num)) {
    Target* target = MakeTarget(nowait ? ompt_target_nowait : ompt_target, device_num, caller);
    target->function = function;
    target->requested_num_teams = RequestedTeams(arguments);
    RememberMapClauses(target, count, addresses, sizes, kinds);
    return RunOnWatchedDevice(thread, target, is_deferred && RunsAsynchronously(device_num), depend, [&] {
      REAL(GOMP_target_ext)(device_num, function, count, addresses, sizes, kinds, flags, depend, arguments);
    });
  }
  if (!IsHost(device_num)) {
    Target* target = is_deferred ? nullptr : MakeTarget(nowait ? ompt_target_nowait : ompt_target, device_num, caller);
    if (target != nullptr) target->requested_num_teams = RequestedTeams(arguments);
    return RunOnUnwatchedDevice(thread, target, function, depend, [&] {
      REAL(GOMP_target_ext)(device, function, count, addresses, sizes, kinds, flags, depend, arguments);
    });
  }
  Target* target = MakeTarget(nowait ? ompt_target_nowait : ompt_target, device_num, caller);
  target->function = function;
  target->requested_num_teams = RequestedTeamsOnHost(arguments);
  GenerateTargetTask(thread, target, is_deferred, depend);
  // libgomp copies these arrays for a deferred task. So the record travels as an additional variable, of a kind (0:
  // allocate) that has no effect on the host.
  auto** with_record = static_cast<void**>(alloca((count + 1) * sizeof(void*)));
  auto* with_size = static_cast<size_t*>(alloca((count + 1) * sizeof(size_t)));
  auto* with_kind = static_cast<unsigned short*>(alloca((count + 1) * sizeof(unsigned short)));
  with_record[0] = target;
  with_size[0] = 0;
  with_kind[0] = 0;
  if (count != 0) {
    memcpy(with_record + 1, addresses, count * sizeof(void*));
    memcpy(with_size + 1, sizes, count * sizeof(size_t));
    memcpy(with_kind + 1, kinds, count * sizeof(unsigned short));
  }
  Publish(target);
  REAL(GOMP_target_ext)
  (device, RunTargetRegion, count + 1, with_record, with_size, with_kind, flags, depend, arguments);
}

EXPORTED void GOMP_target(int device, Outlined* function, const void* unused, size_t count, void** addresses,
                          size_t* sizes, unsigned char* kinds) {
  if (!Tracing()) return REAL(GOMP_target)(device, function, unused, count, addresses, sizes, kinds);
  const Caller caller = CALLER();
  Thread& thread = this_thread;
  InRuntime in_runtime(caller);
  InState waiting(ompt_state_wait_target);
  Target* target = MakeTarget(ompt_target, ExecutingDevice(device, function), caller);
  target->function = function;
  if (IsWatched(target->device_num)) {
    const int device_num = target->device_num;
    return RunOnWatchedDevice(thread, target, /*is_deferred=*/false, nullptr, [&] {
      REAL(GOMP_target)(device_num, function, unused, count, addresses, sizes, kinds);
    });
  }
  if (!IsHost(target->device_num))
    return RunOnUnwatchedDevice(thread, target, function, nullptr, [&] {
      REAL(GOMP_target)(device, function, unused, count, addresses, sizes, kinds);
    });
  GenerateTargetTask(thread, target, false, nullptr);
  auto** with_record = static_cast<void**>(alloca((count + 1) * sizeof(void*)));
  with_record[0] = target;
  if (count != 0) memcpy(with_record + 1, addresses, count * sizeof(void*));
  REAL(GOMP_target)(device, RunTargetRegion, unused, count, with_record, sizes, kinds);
}

}  // namespace gomp_ompt
