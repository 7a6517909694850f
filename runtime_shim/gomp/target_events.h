// The events of device constructs: the parts that the wrappers of target.cc, target_data.cc and target_memory.cc share.
//
// A program built by a gcc without offloading, or on a machine without a device, runs its target regions on the host.
// libgomp calls the region's function on the thread that encountered the construct. With nowait, it calls the function
// on the thread that runs the target task.
#ifndef RUNTIME_SHIM_GOMP_TARGET_EVENTS_H_
#define RUNTIME_SHIM_GOMP_TARGET_EVENTS_H_

#include "runtime_shim/gomp/enter.h"

namespace gomp_ompt {

// Bits of the flags argument (gcc's gomp-constants.h).
inline constexpr unsigned kTargetNowait = 1;
inline constexpr unsigned kTargetExitData = 2;

// The number of the device that executes a construct with this device argument. -1 stands for the default device, and
// omp_default_device where libgomp has it. Any number without a device stands for the host.
int ResolveDevice(int device);
// Likewise for the argument of a routine, where -1 stands for the host. A number of no device stays as it is.
int ResolveRoutineDevice(int device);
bool IsHost(int device_num);

// The region that a construct begins, not yet reported. All constructs except target data must also generate a target
// task.
Target* MakeTarget(ompt_target_t kind, int device_num, const Caller& caller);

// Generates the target task of `target`: task_create. `depend` comes from the construct, in GOMP_task's form.
void GenerateTargetTask(Thread& thread, Target* target, bool is_deferred, void** depend);

// BeginTargetTask: the target task replaces the current task, and the region begins. EndTargetTask: the region ends,
// and the former task continues.
void BeginTargetTask(Thread& thread, Target* target);
void EndTargetTask(Thread& thread, Target* target);

// A deferred target task on a device leaves its thread while the device works, and returns to another. The former task
// continues.
void SuspendTargetTask(Thread& thread, Target* target);
void ResumeTargetTask(Thread& thread, Target* target);

// Reports that the region's code is given to the host or the device: target_submit_emi, or target_submit at the begin.
void ReportSubmit(Target* target, ompt_scope_endpoint_t endpoint);

// Calls target_emi, or target if the tool has not registered target_emi.
void ReportTarget(Target* target, ompt_scope_endpoint_t endpoint);

}  // namespace gomp_ompt

#endif  // RUNTIME_SHIM_GOMP_TARGET_EVENTS_H_
