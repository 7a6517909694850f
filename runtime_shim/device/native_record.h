// The native trace records of the reference device. ompt_get_record_native returns a pointer to this type, in the
// tool's own buffer.
#ifndef RUNTIME_SHIM_DEVICE_NATIVE_RECORD_H_
#define RUNTIME_SHIM_DEVICE_NATIVE_RECORD_H_

#include <omp-tools.h>
#include <stddef.h>

namespace reference_device {

enum class NativeKind : unsigned {
  kKernel = 1,
  kCopyToDevice = 2,
  kCopyFromDevice = 3,
  kCopyOnDevice = 4,
  kAlloc = 5,
  kFree = 6,
  kFill = 7
};

struct NativeRecord {
  NativeKind kind;
  const void* function;  // of a kernel
  size_t bytes;          // of a copy, a fill or an allocation
  ompt_id_t target_id;
  ompt_id_t host_op_id;
  ompt_record_abstract_t abstract;  // ompt_get_record_abstract returns its address
};

}  // namespace reference_device

#endif  // RUNTIME_SHIM_DEVICE_NATIVE_RECORD_H_
