#include "runtime_shim/gomp/memory_operation.h"

#include "runtime_shim/gomp/real.h"
#include "runtime_shim/gomp/target_events.h"

namespace gomp_ompt {
namespace {

DECLARE_REAL(omp_get_initial_device, int());

// The task of an asynchronous routine belongs to no construct.
bool IsAsynchronous(const Task* task) { return (task->flags & ompt_task_target) != 0; }

// The construct around the routine; NULL if there is none.
Target* ConstructOf(Task* task) { return IsAsynchronous(task) ? nullptr : EnclosingTarget(task); }

Task* TargetTaskOf(Task* task) {
  if (IsAsynchronous(task)) return task;
  Target* construct = EnclosingTarget(task);
  return construct != nullptr ? construct->task : nullptr;
}

}  // namespace

MemoryOperation TransferOf(const void* destination, int destination_device, const void* source, int source_device,
                           size_t bytes) {
  const int host = REAL(omp_get_initial_device)();
  const int to = ResolveRoutineDevice(destination_device), from = ResolveRoutineDevice(source_device);
  const bool from_device = to == host && from != host;
  return {from_device ? ompt_target_data_transfer_from_device : ompt_target_data_transfer_to_device,
          source,
          from,
          destination,
          to,
          bytes};
}

MemoryOperation FillOf(const void* memory, int device_num, size_t bytes) {
  return {ompt_target_data_transfer_to_device, /*source=*/nullptr,
          REAL(omp_get_initial_device)(),      memory,
          ResolveRoutineDevice(device_num),    bytes};
}

size_t VolumeOf(size_t element_size, int num_dims, const size_t* volume) {
  size_t bytes = element_size;
  for (int i = 0; i < num_dims; i++) bytes *= volume[i];
  return bytes;
}

void ReportOperation(ompt_scope_endpoint_t endpoint, ompt_id_t* host_op_id, const MemoryOperation& operation,
                     const void* codeptr_ra) {
  auto* callback = OMPT_CALLBACK(target_data_op_emi);
  if (callback == nullptr) return;
  Task* current = this_thread.current;
  Task* target_task = TargetTaskOf(current);
  Target* target = ConstructOf(current);
  callback(endpoint, target_task != nullptr ? &target_task->data : nullptr, target != nullptr ? &target->data : nullptr,
           host_op_id, operation.kind, const_cast<void*>(operation.source), operation.source_device,
           const_cast<void*>(operation.destination), operation.destination_device, operation.bytes, codeptr_ra);
}

void ReportPlainOperation(ompt_id_t host_op_id, const MemoryOperation& operation, const void* codeptr_ra) {
  auto* callback = OMPT_CALLBACK(target_data_op);
  if (callback == nullptr) return;
  Target* target = ConstructOf(this_thread.current);
  callback(target != nullptr ? target->data.value : 0, host_op_id, operation.kind, const_cast<void*>(operation.source),
           operation.source_device, const_cast<void*>(operation.destination), operation.destination_device,
           operation.bytes, codeptr_ra);
}

}  // namespace gomp_ompt
