// Target constructs, and the operations that they and the memory routines ask of devices. ompt/callbacks calls these
// functions in the thread's own OMPT callbacks.
#ifndef OMPPROF_PROFILER_COLLECT_DEVICES_DEVICE_EVENTS_H_
#define OMPPROF_PROFILER_COLLECT_DEVICES_DEVICE_EVENTS_H_

#include <omp-tools.h>
#include <stddef.h>
#include <stdint.h>

#include "profiler/collect/thread/thread_state.h"

namespace ompprof::collect {

// device_initialize.
void DeviceIsThere(int device, const char* type, ompt_device_t* handle, ompt_function_lookup_t lookup);

// task_create of a target task, which may begin on another thread.
void TargetTaskIsCreated(ThreadState* thread, const ompt_data_t* task, int flags);

// target_emi. The value of `target` is the collector's from then on.
struct TargetConstruct {
  ompt_target_t kind;
  int device;
  const ompt_data_t* encountering_task;
  const ompt_data_t* target_task;  // NULL: none
  uint64_t codeptr_ra;
};
void TargetBegins(ThreadState* thread, const TargetConstruct& begun, ompt_data_t* target);
void TargetEnds(ThreadState* thread, const ompt_data_t* target);

// target_data_op_emi. `codeptr_ra` is 0 if the runtime does not give it; then the construct's counts. `operation_id`:
// gets the number by which the device's trace names the operation.
struct DataOperation {
  ompt_target_data_op_t type;
  int source_device;
  int destination_device;
  size_t bytes;
  uint64_t codeptr_ra;
  const ompt_data_t* target;  // of the construct; NULL: none
};
void DataOperationBegins(ThreadState* thread, const DataOperation& operation, ompt_id_t* operation_id);
void DataOperationEnds(ThreadState* thread, const DataOperation& operation);

// target_submit_emi: the construct's region is launched. `launch_id`: as operation_id.
void LaunchBegins(ThreadState* thread, const ompt_data_t* target, ompt_id_t* launch_id);
void LaunchEnds(ThreadState* thread, const ompt_data_t* target);

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_DEVICES_DEVICE_EVENTS_H_
