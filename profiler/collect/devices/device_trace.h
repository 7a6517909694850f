// The traces of devices (Technical Report 6, "Tracing Activity on Target Devices"): exact times of kernels, by the
// device's own clock. A record has the host_op_id that the tool gave the operation. So the record's time goes to the
// construct and the call path that launched the kernel, or asked for the copy.
#ifndef OMPPROF_PROFILER_COLLECT_DEVICES_DEVICE_TRACE_H_
#define OMPPROF_PROFILER_COLLECT_DEVICES_DEVICE_TRACE_H_

#include <omp-tools.h>

#include "profiler/collect/devices/device_table.h"

namespace ompprof::collect {

// Called in device_initialize. Starts a trace of the device's kernels and copies, if the device has traces. `lookup` is
// NULL if it has none.
void StartTrace(int device, ompt_device_t* handle, ompt_function_lookup_t lookup);

// Called in device_finalize, when the device is still there: the trace hands over its last records.
void EndTrace(int device);

// The host_op_id for an operation that belongs to `counts`, and DeviceStats.id. 0: none.
ompt_id_t OperationId(const DeviceCounts* counts);

// Whether the device's trace has copies.
bool CopiesAreTraced(int device);

// A launch is under way (1), or has returned (-1). Likewise a construct with nowait, whose kernel may run on after its
// launch. `device` -1: not known.
void LaunchIsOpen(int device, int change);

// Called before the profile ends: the traces hand over the records of all kernels that have ended. Leaves out a device
// on which a kernel may run: the program may be in exit() on the device's thread, and the device would wait for itself.
// Not in the handler.
void FlushTraces();

// For a forked child, which has none of its parent's devices.
void ForgetTraces();

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_DEVICES_DEVICE_TRACE_H_
