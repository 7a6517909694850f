// The log of GOMP_REFERENCE_LOG: what the device did, by its own measurement. Tests compare a tool's records with it.
#ifndef RUNTIME_SHIM_DEVICE_LOG_H_
#define RUNTIME_SHIM_DEVICE_LOG_H_

#include "runtime_shim/device/operation.h"

namespace reference_device {

// Writes a line, if a log is wanted.
void WriteLog(int target_id, const Operation& operation);

// Writes the line of a device's end.
void LogEnd(int target_id, unsigned long lost_records);

}  // namespace reference_device

#endif  // RUNTIME_SHIM_DEVICE_LOG_H_
