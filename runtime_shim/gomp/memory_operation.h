// A device memory routine's operation and its event, target_data_op: for target_memory.cc and target_memory_async.cc.
#ifndef RUNTIME_SHIM_GOMP_MEMORY_OPERATION_H_
#define RUNTIME_SHIM_GOMP_MEMORY_OPERATION_H_

#include <stddef.h>

#include "runtime_shim/gomp/enter.h"
#include "runtime_shim/ompt/entry_points.h"

namespace gomp_ompt {

// The devices are OpenMP's numbers.
struct MemoryOperation {
  ompt_target_data_op_t kind;
  const void* source;
  int source_device;
  const void* destination;
  int destination_device;
  size_t bytes;
};

// The devices are the routine's arguments. A copy from the host to the host is a transfer to the device.
MemoryOperation TransferOf(const void* destination, int destination_device, const void* source, int source_device,
                           size_t bytes);

// memset. OpenMP 5.1 has no kind for it: it is a transfer without a source.
MemoryOperation FillOf(const void* memory, int device_num, size_t bytes);

// The bytes that the rectangular copy transfers.
size_t VolumeOf(size_t element_size, int num_dims, const size_t* volume);

// target_data_op_emi, which the tool has registered.
void ReportOperation(ompt_scope_endpoint_t endpoint, ompt_id_t* host_op_id, const MemoryOperation& operation,
                     const void* codeptr_ra);

// target_data_op, if the tool has registered it. Nothing is told of the begin.
void ReportPlainOperation(ompt_id_t host_op_id, const MemoryOperation& operation, const void* codeptr_ra);

// Calls `call`, which does the operation, completes its description, and returns whether it was done. A refused
// operation is reported only to a tool that hears both ends.
template <class Call>
void Operate(MemoryOperation operation, const Caller& caller, Call call) {
  const uint32_t epoch = ToolEpoch();
  InRuntime in_runtime(caller);
  InState waiting(ompt_state_wait_target_update);
  const bool hears_both = OMPT_CALLBACK(target_data_op_emi) != nullptr;
  ompt_id_t host_op_id = hears_both ? ompt_id_none : GetUniqueId();
  InOperation in_operation(this_thread, &host_op_id);
  if (hears_both) ReportOperation(ompt_scope_begin, &host_op_id, operation, caller.codeptr_ra);
  const bool is_done = call(operation);
  if (ToolEpoch() != epoch) return;
  if (hears_both)
    ReportOperation(ompt_scope_end, &host_op_id, operation, caller.codeptr_ra);
  else if (is_done)
    ReportPlainOperation(host_op_id, operation, caller.codeptr_ra);
}

}  // namespace gomp_ompt

#endif  // RUNTIME_SHIM_GOMP_MEMORY_OPERATION_H_
