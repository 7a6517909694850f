#include "runtime_shim/ompt/callbacks.h"

#include "runtime_shim/ompt/runtime_queries.h"
#include "runtime_shim/ompt/tool_state.h"

namespace gomp_ompt {

std::atomic<ompt_callback_t> registered_callbacks[kCallbackCount];
std::atomic<uint64_t> registered_events{0};

namespace {

// The support for an event of devices. If the shim does not see what libgomp asks of its plugins, it sees the calls of
// the program alone.
ompt_set_result_t DeviceSupport(ompt_set_result_t unwatched) {
  return runtime_queries.watches_devices ? ompt_set_always : unwatched;
}

}  // namespace

// A table: a line for each event. NOLINTNEXTLINE(readability-function-size)
ompt_set_result_t CallbackSupport(int event) {
  switch (event) {
    case ompt_callback_thread_begin:
      return ompt_set_always;
    case ompt_callback_thread_end:
      return ompt_set_always;
    case ompt_callback_parallel_begin:
      return ompt_set_always;
    case ompt_callback_parallel_end:
      return ompt_set_always;
    case ompt_callback_task_create:
      return ompt_set_always;
    case ompt_callback_task_schedule:
      return ompt_set_always;
    case ompt_callback_implicit_task:
      return ompt_set_always;
    case ompt_callback_target:
      return DeviceSupport(ompt_set_sometimes_paired);
    case ompt_callback_target_data_op:
      return DeviceSupport(ompt_set_sometimes);
    case ompt_callback_target_submit:
      return DeviceSupport(ompt_set_sometimes);
    case ompt_callback_control_tool:
      return ompt_set_always;
    case ompt_callback_device_initialize:
      return DeviceSupport(ompt_set_impossible);
    case ompt_callback_device_finalize:
      return DeviceSupport(ompt_set_impossible);
    case ompt_callback_device_load:
      return DeviceSupport(ompt_set_impossible);
    case ompt_callback_device_unload:
      return DeviceSupport(ompt_set_impossible);
    case ompt_callback_sync_region_wait:
      return ompt_set_always;
    case ompt_callback_mutex_released:
      return ompt_set_always;
    case ompt_callback_dependences:
      return ompt_set_always;
    case ompt_callback_task_dependence:
      return ompt_set_always;
    case ompt_callback_work:
      // gcc computes the chunks of a static schedule inline. It calls no function for workshare, or for a scope without
      // reductions.
      return ompt_set_sometimes_paired;
    case ompt_callback_masked:
      return ompt_set_impossible;  // gcc compares the thread number inline
    case ompt_callback_target_map:
      return DeviceSupport(ompt_set_impossible);
    case ompt_callback_sync_region:
      // GOMP_barrier is also the end of a statically scheduled loop, which is reported as an explicit barrier.
      return ompt_set_always;
    case ompt_callback_lock_init:
      return ompt_set_always;
    case ompt_callback_lock_destroy:
      return ompt_set_always;
    case ompt_callback_mutex_acquire:
      // An atomic for which the processor has an instruction takes no mutex, and has no events (TR6, "Mutex Wait
      // States").
      return ompt_set_always;
    case ompt_callback_mutex_acquired:
      return ompt_set_always;
    case ompt_callback_nest_lock:
      return ompt_set_always;
    case ompt_callback_flush:
      return ompt_set_impossible;  // gcc emits a fence inline
    case ompt_callback_cancel:
      return ompt_set_always;
    case ompt_callback_reduction:
      // Reductions of tasks only. gcc combines the threads' values inline: by atomic instructions, or under
      // GOMP_atomic_start, which is seen as atomic.
      return ompt_set_sometimes;
    case ompt_callback_dispatch:
      // Once for a chunk, with its first iteration. There is none for a static schedule, which gcc computes inline.
      return ompt_set_sometimes;
    case ompt_callback_target_emi:
      return DeviceSupport(ompt_set_sometimes_paired);
    case ompt_callback_target_data_op_emi:
      return DeviceSupport(ompt_set_sometimes_paired);
    case ompt_callback_target_submit_emi:
      return DeviceSupport(ompt_set_sometimes_paired);
    case ompt_callback_target_map_emi:
      return DeviceSupport(ompt_set_impossible);
    case ompt_callback_error:
      return ompt_set_always;
    default:
      return ompt_set_error;
  }
}

ompt_set_result_t SetCallback(ompt_callbacks_t event, ompt_callback_t callback) {
  if (!HasTool()) return ompt_set_error;  // from a tool that has been finalized
  const ompt_set_result_t support = CallbackSupport(event);
  if (support == ompt_set_error) return support;
  registered_callbacks[event].store(callback, std::memory_order_relaxed);
  if (callback != nullptr)
    registered_events.fetch_or(EventBits(event));
  else
    registered_events.fetch_and(~EventBits(event));
  return support;
}

int GetCallback(ompt_callbacks_t event, ompt_callback_t* callback) {
  if (event <= 0 || event >= kCallbackCount) return 0;
  *callback = registered_callbacks[event].load(std::memory_order_relaxed);
  return *callback != nullptr;
}

void ForgetCallbacks() {
  // Not in the child of a fork, which has no thread of a device, and not after an initializer that declined.
  const auto stop_devices = runtime_queries.stop_devices.load(std::memory_order_relaxed);
  if (stop_devices != nullptr && tool_mode.load(std::memory_order_relaxed) == Mode::kOff) stop_devices();
  registered_events.store(0);
  for (auto& callback : registered_callbacks) callback.store(nullptr, std::memory_order_relaxed);
}

}  // namespace gomp_ompt
