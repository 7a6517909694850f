#include "runtime_shim/gomp/target_events.h"
#include "runtime_shim/gomp/dependences.h"
#include "runtime_shim/gomp/real.h"
#include "runtime_shim/ompt/entry_points.h"
#include "runtime_shim/ompt/runtime_queries.h"
#include "runtime_shim/ompt/task_dependence.h"

namespace gomp_ompt {
namespace {

// In a construct's call, and as omp_default_device of OpenMP 6.0.
constexpr int kDefaultDevice = -1;
constexpr int kNamedDefaultDevice = -5;
constexpr int kInitialDevice = -1;  // in a routine's call

using AnyArguments = void();  // only looked for
DECLARE_REAL(GOMP_interop, AnyArguments);
DECLARE_REAL(omp_get_default_device, int());
DECLARE_REAL(omp_get_initial_device, int());
DECLARE_REAL(omp_get_num_devices, int());
DECLARE_REAL(omp_in_final, int());

// Before GCC 15, the number is that of no device. GCC 15 also brought GOMP_interop.
bool NamesDefaultDevice(int device) { return device == kNamedDefaultDevice && Real_GOMP_interop::Find() != nullptr; }

}  // namespace

int ResolveRoutineDevice(int device) {
  if (NamesDefaultDevice(device)) device = REAL(omp_get_default_device)();
  return device == kInitialDevice ? REAL(omp_get_initial_device)() : device;
}

int ResolveDevice(int device) {
  if (device == kDefaultDevice || NamesDefaultDevice(device)) device = REAL(omp_get_default_device)();
  const int devices = REAL(omp_get_num_devices)();
  known_devices.store(devices, std::memory_order_relaxed);
  return device >= 0 && device < devices ? device : REAL(omp_get_initial_device)();
}

bool IsHost(int device_num) { return device_num == REAL(omp_get_initial_device)(); }

Target* MakeTarget(ompt_target_t kind, int device_num, const Caller& caller) {
  Thread& thread = this_thread;
  Target* target = NewTarget(thread);
  target->kind = kind;
  target->device_num = device_num;
  target->codeptr_ra = caller.codeptr_ra;
  target->generating_data = &thread.current->data;
  target->epoch = ToolEpoch();
  return target;
}

void GenerateTargetTask(Thread& thread, Target* target, bool is_deferred, void** depend) {
  Task* generating = thread.current;
  Task* task = NewTask(thread);
  task->parallel = generating->parallel;
  task->scheduling_parent = generating;
  task->thread_num = generating->thread_num;
  task->flags = ompt_task_target;
  if (!is_deferred) {
    task->flags |= ompt_task_undeferred;
  } else if ((generating->flags & ompt_task_explicit) != 0) {
    // Nobody waits for this task. The generating task may end before, and its record may serve another task.
    target->generating_copy = generating->data;
    target->generating_data = &target->generating_copy;
  }
  if (REAL(omp_in_final)()) task->flags |= ompt_task_final;
  task->target = target;
  target->task = task;
  const bool has_dependences = depend != nullptr && DependenceCount(depend) != 0;
  if (auto* callback = OMPT_CALLBACK(task_create))
    callback(&generating->data, &generating->frame, &task->data, task->flags, has_dependences, target->codeptr_ra);
  if (has_dependences) ReportDependences(task, depend);
}

void BeginTargetTask(Thread& thread, Target* target) {
  Task* task = target->task;
  Task* prior = thread.current;
  task->scheduling_parent = prior;
  task->thread_num = prior->thread_num;
  task->has_started = true;
  thread.state = ompt_state_overhead;
  if (auto* callback = OMPT_CALLBACK(task_schedule)) callback(&prior->data, ompt_task_switch, &task->data);
  thread.current = task;
  ReportTarget(target, ompt_scope_begin);
}

void EndTargetTask(Thread& thread, Target* target) {
  Task* task = target->task;
  Task* prior = task->scheduling_parent;
  ReportTarget(target, ompt_scope_end);
  EndsAsPredecessor(task);
  thread.current = prior;
  if (auto* callback = OMPT_CALLBACK(task_schedule)) callback(&task->data, ompt_task_complete, &prior->data);
  FreeTask(thread, task);
  FreeTarget(thread, target);
}

void SuspendTargetTask(Thread& thread, Target* target) {
  Task* task = target->task;
  Task* prior = task->scheduling_parent;
  thread.current = prior;
  if (auto* callback = OMPT_CALLBACK(task_schedule)) callback(&task->data, ompt_task_switch, &prior->data);
}

void ResumeTargetTask(Thread& thread, Target* target) {
  Task* task = target->task;
  Task* prior = thread.current;
  task->scheduling_parent = prior;
  task->thread_num = prior->thread_num;
  if (auto* callback = OMPT_CALLBACK(task_schedule)) callback(&prior->data, ompt_task_switch, &task->data);
  thread.current = task;
}

// The submission is the thread's operation while the tool hears of it.
void ReportSubmit(Target* target, ompt_scope_endpoint_t endpoint) {
  InOperation in_operation(this_thread, &target->host_op_id);
  if (auto* emi = OMPT_CALLBACK(target_submit_emi)) {
    if (endpoint == ompt_scope_begin) target->host_op_id = 0;
    emi(endpoint, &target->data, &target->host_op_id, target->requested_num_teams);
    return;
  }
  if (endpoint != ompt_scope_begin) return;
  target->host_op_id = GetUniqueId();
  if (auto* callback = OMPT_CALLBACK(target_submit))
    callback(target->data.value, target->host_op_id, target->requested_num_teams);
}

void ReportTarget(Target* target, ompt_scope_endpoint_t endpoint) {
  Task* task = target->task;
  if (auto* emi = OMPT_CALLBACK(target_emi)) {
    emi(target->kind, endpoint, target->device_num, target->generating_data, task != nullptr ? &task->data : nullptr,
        &target->data, target->codeptr_ra);
    return;
  }
  if (endpoint == ompt_scope_begin) target->data.value = GetUniqueId();
  if (auto* callback = OMPT_CALLBACK(target))
    callback(target->kind, endpoint, target->device_num, target->generating_data, target->data.value,
             target->codeptr_ra);
}

}  // namespace gomp_ompt
