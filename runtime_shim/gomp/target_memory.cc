// The device memory routines, each a target_data_op. They need no target construct around them. On the host, whose
// number is omp_get_initial_device(), they are malloc, free and memcpy.
#include <stddef.h>

#include "runtime_shim/gomp/enter.h"
#include "runtime_shim/gomp/memory_operation.h"
#include "runtime_shim/gomp/real.h"
#include "runtime_shim/gomp/target_events.h"

namespace gomp_ompt {
namespace {

DECLARE_REAL(omp_get_initial_device, int());
DECLARE_REAL(omp_target_alloc, void*(size_t, int));
DECLARE_REAL(omp_target_free, void(void*, int));
DECLARE_REAL(omp_target_memcpy, int(void*, const void*, size_t, size_t, size_t, int, int));
DECLARE_REAL(omp_target_memcpy_rect, int(void*, const void*, size_t, int, const size_t*, const size_t*, const size_t*,
                                         const size_t*, const size_t*, int, int));
DECLARE_REAL(omp_target_memset, void*(void*, int, size_t, int));
DECLARE_REAL(omp_target_associate_ptr, int(const void*, const void*, size_t, size_t, int));
DECLARE_REAL(omp_target_disassociate_ptr, int(const void*, int));

}  // namespace

EXPORTED void* omp_target_alloc(size_t size, int device_num) {
  if (!Tracing()) return REAL(omp_target_alloc)(size, device_num);
  void* memory = nullptr;
  const MemoryOperation operation = {ompt_target_data_alloc,  /*source=*/nullptr, REAL(omp_get_initial_device)(),
                                     /*destination=*/nullptr, device_num,         size};
  Operate(operation, CALLER(), [&](MemoryOperation& done) {
    done.destination = memory = REAL(omp_target_alloc)(size, device_num);
    return memory != nullptr;
  });
  return memory;
}

EXPORTED void omp_target_free(void* memory, int device_num) {
  if (!Tracing() || memory == nullptr) return REAL(omp_target_free)(memory, device_num);
  const MemoryOperation operation = {ompt_target_data_delete,          memory,
                                     ResolveRoutineDevice(device_num), /*destination=*/nullptr,
                                     REAL(omp_get_initial_device)(),   /*bytes=*/0};
  Operate(operation, CALLER(), [&](MemoryOperation&) {
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
  const MemoryOperation operation = TransferOf(static_cast<char*>(destination) + destination_offset, destination_device,
                                               static_cast<const char*>(source) + source_offset, source_device, length);
  Operate(operation, CALLER(), [&](MemoryOperation&) {
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
  const size_t bytes = VolumeOf(element_size, num_dims, volume);
  Operate(TransferOf(destination, destination_device, source, source_device, bytes), CALLER(), [&](MemoryOperation&) {
    result = call();
    return result == 0;
  });
  return result;
}

EXPORTED void* omp_target_memset(void* memory, int value, size_t count, int device_num) {
  if (!Tracing()) return REAL(omp_target_memset)(memory, value, count, device_num);
  Operate(FillOf(memory, device_num, count), CALLER(), [&](MemoryOperation&) {
    REAL(omp_target_memset)(memory, value, count, device_num);
    return true;
  });
  return memory;
}

EXPORTED int omp_target_associate_ptr(const void* host, const void* memory, size_t size, size_t offset,
                                      int device_num) {
  if (!Tracing()) return REAL(omp_target_associate_ptr)(host, memory, size, offset, device_num);
  int result = 0;
  const MemoryOperation operation = {ompt_target_data_associate,       host,
                                     REAL(omp_get_initial_device)(),   static_cast<const char*>(memory) + offset,
                                     ResolveRoutineDevice(device_num), size};
  Operate(operation, CALLER(), [&](MemoryOperation&) {
    result = REAL(omp_target_associate_ptr)(host, memory, size, offset, device_num);
    return result == 0;
  });
  return result;
}

EXPORTED int omp_target_disassociate_ptr(const void* host, int device_num) {
  if (!Tracing()) return REAL(omp_target_disassociate_ptr)(host, device_num);
  int result = 0;
  const MemoryOperation operation = {ompt_target_data_disassociate,
                                     host,
                                     REAL(omp_get_initial_device)(),
                                     /*destination=*/nullptr,
                                     ResolveRoutineDevice(device_num),
                                     /*bytes=*/0};
  Operate(operation, CALLER(), [&](MemoryOperation&) {
    result = REAL(omp_target_disassociate_ptr)(host, device_num);
    return result == 0;
  });
  return result;
}

}  // namespace gomp_ompt
