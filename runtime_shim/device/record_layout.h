// The layout of a record in a tool's buffer: a header, then the record in OMPT's or in the native format.
#ifndef RUNTIME_SHIM_DEVICE_RECORD_LAYOUT_H_
#define RUNTIME_SHIM_DEVICE_RECORD_LAYOUT_H_

#include <omp-tools.h>
#include <stdint.h>

namespace reference_device {

inline constexpr uint32_t kRecordMark = 0x52454631;  // what stands behind the last record differs
inline constexpr size_t kRecordAlignment = 16;

struct alignas(kRecordAlignment) RecordHeader {
  uint32_t mark;
  uint32_t size;  // with the header
  ompt_record_t type;
};

// The device has one thread for kernels, and engines in ompt_hwid_t's sense.
inline constexpr ompt_id_t kDeviceThread = 1;
inline constexpr ompt_hwid_t kKernelEngine = 1;
inline constexpr ompt_hwid_t kCopyEngine = 2;

}  // namespace reference_device

#endif  // RUNTIME_SHIM_DEVICE_RECORD_LAYOUT_H_
