// What a device did: a kernel, a copy or an allocation, with its times. The device makes it, and the trace and the log
// tell it.
#ifndef RUNTIME_SHIM_DEVICE_OPERATION_H_
#define RUNTIME_SHIM_DEVICE_OPERATION_H_

#include <stdint.h>

#include "runtime_shim/device/native_record.h"
#include "runtime_shim/device/plugin_interface.h"

namespace reference_device {

// Kinds of trace records, as bits.
inline constexpr unsigned kOmptRecord = 1;
inline constexpr unsigned kNativeRecord = 2;

struct Operation {
  NativeKind kind;
  unsigned records;          // that the trace wants of this operation; 0: none
  GompDeviceOperation host;  // all zero without a tool
  const void* function;      // of a kernel
  const void* source;
  const void* destination;
  bool source_is_host;
  bool destination_is_host;
  size_t bytes;
  uint64_t begin_ns, end_ns;  // of the host's clock
};

}  // namespace reference_device

#endif  // RUNTIME_SHIM_DEVICE_OPERATION_H_
