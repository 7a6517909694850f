#include "runtime_shim/ompt/entry_points.h"

#include <string.h>

#include "runtime_shim/ompt/activation.h"
#include "runtime_shim/ompt/callbacks.h"
#include "runtime_shim/ompt/places.h"
#include "runtime_shim/ompt/runtime_queries.h"
#include "runtime_shim/ompt/states.h"
#include "runtime_shim/ompt/thread.h"

namespace gomp_ompt {
namespace {

// Every function here except FinalizeTool is async-signal-safe. It reads this thread's record, and records of tasks and
// regions, whose memory stays. On its own thread, a handler cannot interfere with the data that it reads. For data that
// other threads write, Parallel::generation tells whether the data is still valid. So a function may read data that has
// just become another record's, and does not use it. ThreadSanitizer sees a race there.
#define READS_RECORDS __attribute__((no_sanitize("thread")))

READS_RECORDS int GetState(ompt_wait_id_t* wait_id) {
  const Thread& thread = this_thread;
  if (wait_id != nullptr) *wait_id = 0;
  if (!IsKnown(thread)) return ompt_state_undefined;
  if (IsIdle(thread)) return ompt_state_idle;
  if (wait_id != nullptr) *wait_id = thread.wait_id;
  return thread.state;
}

READS_RECORDS ompt_data_t* GetThreadData() { return IsKnown(this_thread) ? &this_thread.data : nullptr; }

// The task at an ancestor level; NULL if there is none.
READS_RECORDS Task* TaskAt(const Thread& thread, int level) {
  if (!IsKnown(thread) || level < 0 || IsIdle(thread)) return nullptr;
  Task* task = thread.current;
  while (task != nullptr && level-- > 0) task = task->scheduling_parent;
  return task;
}

bool HasPlace(const Thread& thread) { return IsKnown(thread) && thread.has_place; }

int PlaceNumHere() { return HasPlace(this_thread) ? GetPlaceNum() : -1; }

int PartitionPlaceNumsHere(int size, int* places) {
  return HasPlace(this_thread) ? GetPartitionPlaceNums(size, places) : 0;
}

READS_RECORDS int GetTaskInfo(int level, int* flags, ompt_data_t** task_data, ompt_frame_t** frame,
                              ompt_data_t** parallel_data, int* thread_num) {
  const Thread& thread = this_thread;
  Task* task = TaskAt(thread, level);
  if (task == nullptr) return 0;
  Parallel* region = task->parallel;
  const int task_flags = task->flags;
  const int number = task->thread_num;
  if (IsIdle(thread)) return 0;  // the region has ended meanwhile: these values belong to others
  if (flags != nullptr) *flags = task_flags;
  if (task_data != nullptr) *task_data = &task->data;
  if (frame != nullptr) *frame = &task->frame;
  if (parallel_data != nullptr) *parallel_data = region != nullptr ? &region->data : nullptr;
  if (thread_num != nullptr) *thread_num = number;
  return 2;
}

READS_RECORDS int GetParallelInfo(int level, ompt_data_t** parallel_data, int* team_size) {
  const Thread& thread = this_thread;
  if (level < 0) return 0;
  Task* task = TaskAt(thread, 0);
  Parallel* region = task != nullptr ? task->parallel : nullptr;
  while (region != nullptr && level-- > 0) {
    task = region->encountering_task;
    region = task != nullptr ? task->parallel : nullptr;
  }
  if (region == nullptr) return 0;
  unsigned size = region->team_size.load(std::memory_order_relaxed);
  bool is_known = size != 0;
  // The primary thread, which gives the size, has not come to this point yet. This thread has begun no region of its
  // own, for which it would have asked. Until this thread has arrived at the end of its task, libgomp has the team's
  // record.
  if (!is_known && region == thread.current->parallel && thread.arrived_at == nullptr && CanAskForTeamSize()) {
    size = static_cast<unsigned>(runtime_queries.num_threads());
    is_known = true;
  }
  if (IsIdle(thread)) return 0;
  if (parallel_data != nullptr) *parallel_data = &region->data;
  if (team_size != nullptr) *team_size = static_cast<int>(size);
  return is_known ? 2 : 1;
}

// There is one block at most: the result 1 would say that there are more.
READS_RECORDS int GetTaskMemory(void** address, size_t* size, int block) {
  const Task* task = block == 0 ? TaskAt(this_thread, 0) : nullptr;
  const bool has_copy = task != nullptr && (task->flags & ompt_task_explicit) != 0 && task->argument_size != 0;
  if (address != nullptr) *address = has_copy ? task->argument : nullptr;
  if (size != nullptr) *size = has_copy ? task->argument_size : 0;
  return 0;
}

int GetNumDevices() { return known_devices.load(std::memory_order_relaxed); }

// The operation is ompt_id_none unless the thread has one under way (OpenMP 5.1, 4.6.1.17).
READS_RECORDS int GetTargetInfo(uint64_t* device_num, ompt_id_t* target_id, ompt_id_t* host_op_id) {
  const Thread& thread = this_thread;
  const Target* target = EnclosingTarget(TaskAt(thread, 0));
  if (target == nullptr) return 0;
  const int device = target->device_num;
  const ompt_id_t id = target->data.value;
  const ompt_id_t* under_way = thread.operation;
  const ompt_id_t operation = under_way != nullptr ? *under_way : ompt_id_none;
  if (IsIdle(thread)) return 0;
  if (device_num != nullptr) *device_num = static_cast<uint64_t>(device);
  if (target_id != nullptr) *target_id = id;
  if (host_op_id != nullptr) *host_op_id = operation;
  return 1;
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
      {"ompt_enumerate_states", Erase(EnumerateStates)},
      {"ompt_enumerate_mutex_impls", Erase(EnumerateMutexImplementations)},
      {"ompt_set_callback", Erase(SetCallback)},
      {"ompt_get_callback", Erase(GetCallback)},
      {"ompt_get_thread_data", Erase(GetThreadData)},
      {"ompt_get_num_places", Erase(GetNumPlaces)},
      {"ompt_get_place_proc_ids", Erase(GetPlaceProcIds)},
      {"ompt_get_place_num", Erase(PlaceNumHere)},
      {"ompt_get_partition_place_nums", Erase(PartitionPlaceNumsHere)},
      {"ompt_get_proc_id", Erase(GetProcId)},
      {"ompt_get_state", Erase(GetState)},
      {"ompt_get_parallel_info", Erase(GetParallelInfo)},
      {"ompt_get_task_info", Erase(GetTaskInfo)},
      {"ompt_get_task_memory", Erase(GetTaskMemory)},
      {"ompt_get_num_devices", Erase(GetNumDevices)},
      {"ompt_get_num_procs", Erase(GetNumProcs)},
      {"ompt_get_target_info", Erase(GetTargetInfo)},
      {"ompt_get_unique_id", Erase(GetUniqueId)},
      {"ompt_finalize_tool", Erase(FinalizeTool)},
  };
  for (const Entry& entry : kEntries)
    if (strcmp(entry.name, name) == 0) return entry.function;
  return nullptr;
}

}  // namespace gomp_ompt
