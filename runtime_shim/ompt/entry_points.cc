#include "runtime_shim/ompt/entry_points.h"

#include <string.h>

#include "runtime_shim/ompt/activation.h"
#include "runtime_shim/ompt/callbacks.h"
#include "runtime_shim/ompt/thread.h"

namespace gomp_ompt {
namespace {

// Async-signal-safe.
int GetState(ompt_wait_id_t* wait_id) {
  const Thread& thread = this_thread;
  if (thread.kind == 0) return ompt_state_undefined;
  if (IsIdle(thread)) return ompt_state_idle;
  if (wait_id != nullptr) *wait_id = thread.wait_id;
  return thread.state;
}

// Async-signal-safe.
ompt_data_t* GetThreadData() { return this_thread.kind == 0 ? nullptr : &this_thread.data; }

// The task at an ancestor level, NULL if there is none. Async-signal-safe.
Task* TaskAt(const Thread& thread, int level) {
  if (thread.kind == 0 || level < 0 || IsIdle(thread)) return nullptr;
  Task* task = thread.current;
  while (task != nullptr && level-- > 0) task = task->scheduling_parent;
  return task;
}

// Async-signal-safe.
int GetTaskInfo(int level, int* flags, ompt_data_t** task_data, ompt_frame_t** frame, ompt_data_t** parallel_data,
                int* thread_num) {
  const Thread& thread = this_thread;
  Task* task = TaskAt(thread, level);
  if (task == nullptr) return 0;
  Parallel* region = task->parallel;
  if (IsIdle(thread)) return 0;  // ended under us: what was read belongs to others
  if (flags != nullptr) *flags = task->flags;
  if (task_data != nullptr) *task_data = &task->data;
  if (frame != nullptr) *frame = &task->frame;
  if (parallel_data != nullptr) *parallel_data = region != nullptr ? &region->data : nullptr;
  if (thread_num != nullptr) *thread_num = task->thread_num;
  return 2;
}

// Async-signal-safe.
int GetParallelInfo(int level, ompt_data_t** parallel_data, int* team_size) {
  const Thread& thread = this_thread;
  Task* task = TaskAt(thread, 0);
  Parallel* region = task != nullptr ? task->parallel : nullptr;
  while (region != nullptr && level-- > 0) {
    task = region->encountering_task;
    region = task != nullptr ? task->parallel : nullptr;
  }
  if (region == nullptr || IsIdle(thread)) return 0;
  if (parallel_data != nullptr) *parallel_data = &region->data;
  if (team_size != nullptr) *team_size = static_cast<int>(region->team_size.load(std::memory_order_relaxed));
  return 2;
}

struct Entry {
  const char* name;
  ompt_interface_fn_t function;
};

template <class Function>
ompt_interface_fn_t Erase(Function* function) {
  return reinterpret_cast<ompt_interface_fn_t>(function);
}

}  // namespace

uint64_t GetUniqueId() {
  static std::atomic<uint64_t> next{1};
  return next.fetch_add(1, std::memory_order_relaxed);
}

ompt_interface_fn_t LookupEntryPoint(const char* name) {
  static const Entry kEntries[] = {
      {"ompt_set_callback", Erase(SetCallback)},  {"ompt_get_callback", Erase(GetCallback)},
      {"ompt_get_state", Erase(GetState)},        {"ompt_get_thread_data", Erase(GetThreadData)},
      {"ompt_get_task_info", Erase(GetTaskInfo)}, {"ompt_get_parallel_info", Erase(GetParallelInfo)},
      {"ompt_get_unique_id", Erase(GetUniqueId)}, {"ompt_finalize_tool", Erase(FinalizeTool)},
  };
  for (const Entry& entry : kEntries)
    if (strcmp(entry.name, name) == 0) return entry.function;
  return nullptr;
}

}  // namespace gomp_ompt
