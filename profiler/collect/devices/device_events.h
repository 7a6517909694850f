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

// target, or target_emi.
void TargetBegins(ThreadState* thread, ompt_target_t kind, int device, uint64_t codeptr_ra);
void TargetEnds(ThreadState* thread);

// target_data_op_emi. `codeptr_ra` is 0 if the runtime does not give it; then the construct's counts.
struct DataOperation {
  ompt_target_data_op_t type;
  int source_device;
  int destination_device;
  size_t bytes;
  uint64_t codeptr_ra;
};
void DataOperationBegins(ThreadState* thread, const DataOperation& operation);
void DataOperationEnds(ThreadState* thread, const DataOperation& operation);

// target_submit_emi: the construct's region is launched. `launch_id`: gets the number by which the device's trace names
// the launch.
void LaunchBegins(ThreadState* thread, ompt_id_t* launch_id);
void LaunchEnds(ThreadState* thread);

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_DEVICES_DEVICE_EVENTS_H_
