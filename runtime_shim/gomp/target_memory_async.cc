// The asynchronous memory routines: each is a target task that does the routine without `async`.
//
// libgomp's own functions check the device numbers, and call GOMP_task with a function that does the work. Nobody
// outside sees this task. So the shim makes the task, with the same arguments: a function of the shim, which calls
// the routine without `async` and reports it. The numbers that libgomp would refuse go to libgomp.
#include <alloca.h>
#include <stddef.h>

#include "runtime_shim/gomp/enter.h"
#include "runtime_shim/gomp/explicit_task.h"
#include "runtime_shim/gomp/memory_operation.h"
#include "runtime_shim/gomp/real.h"
#include "runtime_shim/gomp/target_events.h"

namespace gomp_ompt {
namespace {

DECLARE_REAL(omp_get_initial_device, int());
DECLARE_REAL(omp_target_memcpy, int(void*, const void*, size_t, size_t, size_t, int, int));
DECLARE_REAL(omp_target_memcpy_async, int(void*, const void*, size_t, size_t, size_t, int, int, int, void*));
DECLARE_REAL(omp_target_memcpy_rect, int(void*, const void*, size_t, int, const size_t*, const size_t*, const size_t*,
                                         const size_t*, const size_t*, int, int));
DECLARE_REAL(omp_target_memcpy_rect_async, int(void*, const void*, size_t, int, const size_t*, const size_t*,
                                               const size_t*, const size_t*, const size_t*, int, int, int, void*));
DECLARE_REAL(omp_target_memset, void*(void*, int, size_t, int));
DECLARE_REAL(omp_target_memset_async, void*(void*, int, size_t, int, int, void*));

// The arguments of each routine, as libgomp keeps them for its task: arrays stay the program's.
struct Copy {
  void* destination;
  const void* source;
  size_t length, destination_offset, source_offset;
  int destination_device, source_device;
  const void* codeptr_ra;
};

struct RectangularCopy {
  void* destination;
  const void* source;
  size_t element_size;
  int num_dims;
  const size_t *volume, *destination_offsets, *source_offsets, *destination_dimensions, *source_dimensions;
  int destination_device, source_device;
  const void* codeptr_ra;
};

struct Fill {
  void* memory;
  int value;
  size_t count;
  int device_num;
  const void* codeptr_ra;
};

bool IsDevice(int device_num) { return device_num >= 0 && device_num <= REAL(omp_get_initial_device)(); }

// omp_depend_t of gcc: an address and a type.
struct DependObject {
  void* words[2];
};

// The routine's task.
template <class Arguments>
void CreateTargetTask(void (*run)(void*), Arguments& arguments, int count, void* objects, const Caller& caller) {
  TaskConstruct construct = {run,     &arguments, nullptr, sizeof(Arguments), alignof(Arguments), /*if_clause=*/true, 0,
                             nullptr, 0,          nullptr};
  if (count > 0 && objects != nullptr) {
    // The form of DependenceCount with depend objects alone.
    constexpr int kHead = 5;
    construct.flags = kTaskDepend;
    construct.depend = static_cast<void**>(alloca((static_cast<size_t>(count) + kHead) * sizeof(void*)));
    for (int i = 0; i < kHead; i++) construct.depend[i] = nullptr;
    construct.depend[1] = reinterpret_cast<void*>(static_cast<size_t>(count));
    for (int i = 0; i < count; i++) construct.depend[kHead + i] = static_cast<DependObject*>(objects) + i;
  }
  const int is_final = this_thread.current->flags & static_cast<int>(ompt_task_final);
  CreateByCopy(construct, static_cast<int>(ompt_task_target) | is_final, caller);
}

// In the task: `call` does the operation. If the tool does not hear of the task, it hears nothing of the operation.
// The task's own code is the runtime's: the task leaves the runtime and returns to it at one place, `frame`.
template <class Call>
void RunInTask(const MemoryOperation& operation, const void* codeptr_ra, void* frame, Call call) {
  Thread& thread = this_thread;
  Task* task = IsKnown(thread) && IsToolActive() ? thread.current : nullptr;
  if (task == nullptr || (task->flags & ompt_task_target) == 0) {
    call();
    return;
  }
  task->frame.exit_frame.ptr = frame;
  Operate(operation, Caller{codeptr_ra, frame}, [&](MemoryOperation&) { return call(); });
}

// If the copy fails, libgomp's own function ends the process, as it does without the shim.

void RunCopy(void* arguments) {
  const Copy copy = *static_cast<Copy*>(arguments);
  const MemoryOperation operation =
      TransferOf(static_cast<char*>(copy.destination) + copy.destination_offset, copy.destination_device,
                 static_cast<const char*>(copy.source) + copy.source_offset, copy.source_device, copy.length);
  bool is_done = false;
  RunInTask(operation, copy.codeptr_ra, __builtin_frame_address(0), [&] {
    return is_done = REAL(omp_target_memcpy)(copy.destination, copy.source, copy.length, copy.destination_offset,
                                             copy.source_offset, copy.destination_device, copy.source_device) == 0;
  });
  if (is_done) return;
  REAL(omp_target_memcpy_async)
  (copy.destination, copy.source, copy.length, copy.destination_offset, copy.source_offset, copy.destination_device,
   copy.source_device, 0, nullptr);
}

void RunRectangularCopy(void* arguments) {
  const RectangularCopy copy = *static_cast<RectangularCopy*>(arguments);
  const MemoryOperation operation =
      TransferOf(copy.destination, copy.destination_device, copy.source, copy.source_device,
                 VolumeOf(copy.element_size, copy.num_dims, copy.volume));
  bool is_done = false;
  RunInTask(operation, copy.codeptr_ra, __builtin_frame_address(0), [&] {
    return is_done = REAL(omp_target_memcpy_rect)(copy.destination, copy.source, copy.element_size, copy.num_dims,
                                                  copy.volume, copy.destination_offsets, copy.source_offsets,
                                                  copy.destination_dimensions, copy.source_dimensions,
                                                  copy.destination_device, copy.source_device) == 0;
  });
  if (is_done) return;
  REAL(omp_target_memcpy_rect_async)
  (copy.destination, copy.source, copy.element_size, copy.num_dims, copy.volume, copy.destination_offsets,
   copy.source_offsets, copy.destination_dimensions, copy.source_dimensions, copy.destination_device,
   copy.source_device, 0, nullptr);
}

void RunFill(void* arguments) {
  const Fill fill = *static_cast<Fill*>(arguments);
  RunInTask(FillOf(fill.memory, fill.device_num, fill.count), fill.codeptr_ra, __builtin_frame_address(0), [&] {
    REAL(omp_target_memset)(fill.memory, fill.value, fill.count, fill.device_num);
    return true;
  });
}

}  // namespace

EXPORTED int omp_target_memcpy_async(void* destination, const void* source, size_t length, size_t destination_offset,
                                     size_t source_offset, int destination_device, int source_device, int count,
                                     void* objects) {
  if (Tracing()) {
    const Caller caller = CALLER();
    Copy copy = {destination,
                 source,
                 length,
                 destination_offset,
                 source_offset,
                 ResolveRoutineDevice(destination_device),
                 ResolveRoutineDevice(source_device),
                 caller.codeptr_ra};
    if (IsDevice(copy.destination_device) && IsDevice(copy.source_device)) {
      CreateTargetTask(RunCopy, copy, count, objects, caller);
      return 0;
    }
  }
  return REAL(omp_target_memcpy_async)(destination, source, length, destination_offset, source_offset,
                                       destination_device, source_device, count, objects);
}

EXPORTED int omp_target_memcpy_rect_async(void* destination, const void* source, size_t element_size, int num_dims,
                                          const size_t* volume, const size_t* destination_offsets,
                                          const size_t* source_offsets, const size_t* destination_dimensions,
                                          const size_t* source_dimensions, int destination_device, int source_device,
                                          int count, void* objects) {
  // With NULL for both pointers, the call asks for the number of supported dimensions.
  if (Tracing() && (destination != nullptr || source != nullptr)) {
    const Caller caller = CALLER();
    RectangularCopy copy = {destination,
                            source,
                            element_size,
                            num_dims,
                            volume,
                            destination_offsets,
                            source_offsets,
                            destination_dimensions,
                            source_dimensions,
                            ResolveRoutineDevice(destination_device),
                            ResolveRoutineDevice(source_device),
                            caller.codeptr_ra};
    if (IsDevice(copy.destination_device) && IsDevice(copy.source_device)) {
      CreateTargetTask(RunRectangularCopy, copy, count, objects, caller);
      return 0;
    }
  }
  return REAL(omp_target_memcpy_rect_async)(destination, source, element_size, num_dims, volume, destination_offsets,
                                            source_offsets, destination_dimensions, source_dimensions,
                                            destination_device, source_device, count, objects);
}

EXPORTED void* omp_target_memset_async(void* memory, int value, size_t count, int device_num, int object_count,
                                       void* objects) {
  if (Tracing()) {
    const Caller caller = CALLER();
    Fill fill = {memory, value, count, ResolveRoutineDevice(device_num), caller.codeptr_ra};
    if (IsDevice(fill.device_num)) {
      CreateTargetTask(RunFill, fill, object_count, objects, caller);
      return memory;
    }
  }
  return REAL(omp_target_memset_async)(memory, value, count, device_num, object_count, objects);
}

}  // namespace gomp_ompt
