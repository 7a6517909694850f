// The entry points by which a tool controls a device's trace: OpenMP 5.1, section 4.6.2.
#ifndef RUNTIME_SHIM_DEVICE_TRACE_ENTRY_POINTS_H_
#define RUNTIME_SHIM_DEVICE_TRACE_ENTRY_POINTS_H_

#include <omp-tools.h>

namespace reference_device {

// ompt_function_lookup_t. NULL for names that GOMP_REFERENCE_TRACE leaves out, and for unknown ones.
ompt_interface_fn_t LookUpTraceEntryPoint(const char* name);

}  // namespace reference_device

#endif  // RUNTIME_SHIM_DEVICE_TRACE_ENTRY_POINTS_H_
