// The device memory routines, each a target_data_op. They need no target construct around them. On the host, whose
// number is omp_get_initial_device(), they are malloc, free and memcpy.
#include <stddef.h>

#include "runtime_shim/gomp/enter.h"
#include "runtime_shim/gomp/real.h"
#include "runtime_shim/ompt/entry_points.h"

namespace gomp_ompt {
namespace {

DECLARE_REAL(omp_get_initial_device, int());
DECLARE_REAL(omp_target_alloc, void*(size_t, int));
DECLARE_REAL(omp_target_free, void(void*, int));
DECLARE_REAL(omp_target_memcpy, int(void*, const void*, size_t, size_t, size_t, int, int));
DECLARE_REAL(omp_target_memcpy_rect, int(void*, const void*, size_t, int, const size_t*, const size_t*, const size_t*,
                                         const size_t*, const size_t*, int, int));
DECLARE_REAL(omp_target_associate_ptr, int(const void*, const void*, size_t, size_t, int));
DECLARE_REAL(omp_target_disassociate_ptr, int(const void*, int));

struct Operation {
  ompt_target_data_op_t kind;
  const void* source;
  int source_device;
  const void* destination;
  int destination_device;
  size_t bytes;
};

void Report(ompt_callback_target_data_op_emi_t emi, ompt_scope_endpoint_t endpoint, ompt_id_t* host_op_id,
            const Operation& operation, const Caller& caller) {
  Target* target = EnclosingTarget(this_thread.current);
  Task* target_task = target != nullptr ? target->task : nullptr;
  emi(endpoint, target_task != nullptr ? &target_task->data : nullptr, target != nullptr ? &target->data : nullptr,
      host_op_id, operation.kind, const_cast<void*>(operation.source), operation.source_device,
      const_cast<void*>(operation.destination), operation.destination_device, operation.bytes, caller.codeptr_ra);
}

// Calls `call`, which does the operation, completes its description, and returns whether it was done. A refused
// operation is reported only to a tool that hears both ends.
template <class Call>
void Operate(Operation operation, const Caller& caller, Call call) {
  const uint32_t epoch = ToolEpoch();
  InRuntime in_runtime(caller);
  InState waiting(ompt_state_wait_target_update);
  auto* emi = OMPT_CALLBACK(target_data_op_emi);
  ompt_id_t host_op_id = emi != nullptr ? ompt_id_none : GetUniqueId();
  InOperation in_operation(this_thread, &host_op_id);
  if (emi != nullptr) Report(emi, ompt_scope_begin, &host_op_id, operation, caller);
  const bool is_done = call(operation);
  if (ToolEpoch() != epoch) return;
  if (emi != nullptr) return Report(emi, ompt_scope_end, &host_op_id, operation, caller);
  auto* callback = OMPT_CALLBACK(target_data_op);
  if (callback == nullptr || !is_done) return;
  Target* target = EnclosingTarget(this_thread.current);
  callback(target != nullptr ? target->data.value : 0, host_op_id, operation.kind, const_cast<void*>(operation.source),
           operation.source_device, const_cast<void*>(operation.destination), operation.destination_device,
           operation.bytes, caller.codeptr_ra);
}

Operation Copy(const void* destination, int destination_device, const void* source, int source_device, size_t bytes) {
  const int host = REAL(omp_get_initial_device)();
  const bool from_device = destination_device == host && source_device != host;
  return {from_device ? ompt_target_data_transfer_from_device : ompt_target_data_transfer_to_device,
          source,
          source_device,
          destination,
          destination_device,
          bytes};
}

}  // namespace

EXPORTED void* omp_target_alloc(size_t size, int device_num) {
  if (!Tracing()) return REAL(omp_target_alloc)(size, device_num);
  void* memory = nullptr;
  const Operation operation = {ompt_target_data_alloc,  /*source=*/nullptr, REAL(omp_get_initial_device)(),
                               /*destination=*/nullptr, device_num,         size};
  Operate(operation, CALLER(), [&](Operation& done) {
    done.destination = memory = REAL(omp_target_alloc)(size, device_num);
    return memory != nullptr;
  });
  return memory;
}

EXPORTED void omp_target_free(void* memory, int device_num) {
  if (!Tracing() || memory == nullptr) return REAL(omp_target_free)(memory, device_num);
  const Operation operation = {ompt_target_data_delete,        memory,     device_num, /*destination=*/nullptr,
                               REAL(omp_get_initial_device)(), /*bytes=*/0};
  Operate(operation, CALLER(), [&](Operation&) {
    REAL(omp_target_free)(memory, device_num);
    return true;
  });
}

EXPORTED int omp_target_memcpy(void* destination, const void* source, size_t length, size_t destination_offset,
                               size_t source_offset, int destination_device, int source_device) {
  if (!Tracing())
    return REAL(omp_target_memcpy)(destination, source, length, destination_offset, source_offset, destination_device,
                                   source_device);
  int result = 0;
  const Operation operation = Copy(static_cast<char*>(destination) + destination_offset, destination_device,
                                   static_cast<const char*>(source) + source_offset, source_device, length);
  Operate(operation, CALLER(), [&](Operation&) {
    result = REAL(omp_target_memcpy)(destination, source, length, destination_offset, source_offset, destination_device,
                                     source_device);
    return result == 0;
  });
  return result;
}

EXPORTED int omp_target_memcpy_rect(void* destination, const void* source, size_t element_size, int num_dims,
                                    const size_t* volume, const size_t* destination_offsets,
                                    const size_t* source_offsets, const size_t* destination_dimensions,
                                    const size_t* source_dimensions, int destination_device, int source_device) {
  auto call = [&] {
    return REAL(omp_target_memcpy_rect)(destination, source, element_size, num_dims, volume, destination_offsets,
                                        source_offsets, destination_dimensions, source_dimensions, destination_device,
                                        source_device);
  };
  // With NULL for both pointers, the call asks for the number of supported dimensions.
  if (!Tracing() || destination == nullptr || source == nullptr) return call();
  int result = 0;
  size_t bytes = element_size;
  for (int i = 0; i < num_dims; i++) bytes *= volume[i];
  Operate(Copy(destination, destination_device, source, source_device, bytes), CALLER(), [&](Operation&) {
    result = call();
    return result == 0;
  });
  return result;
}

EXPORTED int omp_target_associate_ptr(const void* host, const void* memory, size_t size, size_t offset,
                                      int device_num) {
  if (!Tracing()) return REAL(omp_target_associate_ptr)(host, memory, size, offset, device_num);
  int result = 0;
  const Operation operation = {ompt_target_data_associate,
                               host,
                               REAL(omp_get_initial_device)(),
                               static_cast<const char*>(memory) + offset,
                               device_num,
                               size};
  Operate(operation, CALLER(), [&](Operation&) {
    result = REAL(omp_target_associate_ptr)(host, memory, size, offset, device_num);
    return result == 0;
  });
  return result;
}

EXPORTED int omp_target_disassociate_ptr(const void* host, int device_num) {
  if (!Tracing()) return REAL(omp_target_disassociate_ptr)(host, device_num);
  int result = 0;
  const Operation operation = {ompt_target_data_disassociate, host,       REAL(omp_get_initial_device)(),
                               /*destination=*/nullptr,       device_num, /*bytes=*/0};
  Operate(operation, CALLER(), [&](Operation&) {
    result = REAL(omp_target_disassociate_ptr)(host, device_num);
    return result == 0;
  });
  return result;
}

}  // namespace gomp_ompt
