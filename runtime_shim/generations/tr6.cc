#include "runtime_shim/generations/tr6.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <atomic>
#include <initializer_list>

#include "runtime_shim/generations/tr6_frames.h"
#include "runtime_shim/generations/tr6_values.h"
#include "runtime_shim/ompt/records.h"

namespace gomp_ompt {
namespace tr6 {
namespace {

// What ompt_start_tool of this generation returns.
struct Functions {
  int (*initialize)(ompt_function_lookup_t lookup, Functions* functions);
  void (*finalize)(Functions* functions);
};

Functions* tool;
// The shim's own entry points.
ompt_function_lookup_t lookup_five;
ompt_set_callback_t set_callback;
ompt_get_state_t get_state;
ompt_get_task_info_t get_task_info;
ompt_get_parallel_info_t get_parallel_info;

// The older tool's callbacks, by the chapter's numbers.
std::atomic<ompt_callback_t> callbacks[kEvents];

template <typename Function>
Function* CallbackOf(Event event) {
  return reinterpret_cast<Function*>(callbacks[event].load(std::memory_order_relaxed));
}

// A taskwait with dependences is a task in OpenMP 5.1. The chapter has no such construct, but it has its wait. With
// nowait, nobody waits.
int TaskFlags(const ompt_data_t* task) {
  static_assert(offsetof(Task, data) == 0);
  return reinterpret_cast<const Task*>(task)->flags;
}
bool IsTaskwait(const ompt_data_t* task) { return (TaskFlags(task) & ompt_task_taskwait) != 0; }
bool Waits(int taskwait_flags) { return (taskwait_flags & ompt_task_undeferred) != 0; }

template <Event kEvent>
void TellTaskwait(ompt_scope_endpoint_t endpoint, ompt_data_t* task, const void* codeptr_ra) {
  auto* callback = CallbackOf<void(int, ompt_scope_endpoint_t, ompt_data_t*, ompt_data_t*, const void*)>(kEvent);
  if (callback == nullptr) return;
  ompt_data_t* parallel = nullptr;
  int team_size = 0;
  get_parallel_info(0, &parallel, &team_size);
  callback(SyncRegionOf(ompt_sync_region_taskwait), endpoint, parallel, task, codeptr_ra);
}

void BeginTaskwait(ompt_data_t* task, const void* codeptr_ra) {
  TellTaskwait<kSyncRegion>(ompt_scope_begin, task, codeptr_ra);
  TellTaskwait<kSyncRegionWait>(ompt_scope_begin, task, codeptr_ra);
}

void EndTaskwait() {
  ompt_data_t* task = nullptr;
  get_task_info(0, nullptr, &task, nullptr, nullptr, nullptr);
  TellTaskwait<kSyncRegionWait>(ompt_scope_end, task, nullptr);
  TellTaskwait<kSyncRegion>(ompt_scope_end, task, nullptr);
}

// The callbacks of the tool in front. Each tells the older tool's callback, if there is one.

void OnParallelBegin(ompt_data_t* task, const ompt_frame_t* frame, ompt_data_t* parallel, unsigned requested, int flags,
                     const void* codeptr_ra) {
  if ((flags & ompt_parallel_league) != 0) return;  // the chapter has no teams constructs
  const Frame converted = ConvertFrame(*frame);
  if (auto* callback =
          CallbackOf<void(ompt_data_t*, const Frame*, ompt_data_t*, unsigned, int, const void*)>(kParallelBegin))
    callback(task, &converted, parallel, requested, InvokerOf(flags), codeptr_ra);
}

void OnParallelEnd(ompt_data_t* parallel, ompt_data_t* task, int flags, const void* codeptr_ra) {
  if ((flags & ompt_parallel_league) != 0) return;
  if (auto* callback = CallbackOf<void(ompt_data_t*, ompt_data_t*, int, const void*)>(kParallelEnd))
    callback(parallel, task, InvokerOf(flags), codeptr_ra);
}

using TaskCreate = void(ompt_data_t*, const Frame*, ompt_data_t*, int, int, const void*);

void OnTaskCreate(ompt_data_t* task, const ompt_frame_t* frame, ompt_data_t* created, int flags, int has_dependences,
                  const void* codeptr_ra) {
  if ((flags & ompt_task_taskwait) != 0) {
    if (Waits(flags)) BeginTaskwait(task, codeptr_ra);
    return;
  }
  const Frame converted = frame != nullptr ? ConvertFrame(*frame) : Frame{};
  if (auto* callback = CallbackOf<TaskCreate>(kTaskCreate))
    callback(task, frame != nullptr ? &converted : nullptr, created, flags, has_dependences, codeptr_ra);
}

void OnTaskSchedule(ompt_data_t* prior, ompt_task_status_t status, ompt_data_t* next) {
  if (status == ompt_taskwait_complete) {
    if (Waits(TaskFlags(prior))) EndTaskwait();
    return;
  }
  const int told = StatusOf(status);
  if (told == 0) return;
  if (auto* callback = CallbackOf<void(ompt_data_t*, int, ompt_data_t*)>(kTaskSchedule)) callback(prior, told, next);
}

// An initial task is created, and has no events of its own.
void OnImplicitTask(ompt_scope_endpoint_t endpoint, ompt_data_t* parallel, ompt_data_t* task, unsigned team_size,
                    unsigned index, int flags) {
  if ((flags & ompt_task_initial) != 0) {
    auto* callback = CallbackOf<TaskCreate>(kTaskCreate);
    if (endpoint == ompt_scope_begin && callback != nullptr)
      callback(nullptr, nullptr, task, ompt_task_initial, 0, nullptr);
    return;
  }
  if (auto* callback =
          CallbackOf<void(ompt_scope_endpoint_t, ompt_data_t*, ompt_data_t*, unsigned, unsigned)>(kImplicitTask))
    callback(endpoint, parallel, task, team_size, index);
}

void OnTarget(ompt_target_t kind, ompt_scope_endpoint_t endpoint, int device, ompt_data_t* task, ompt_id_t target,
              const void* codeptr_ra) {
  if (auto* callback = CallbackOf<void(int, ompt_scope_endpoint_t, int, ompt_data_t*, ompt_id_t, const void*)>(kTarget))
    callback(TargetOf(kind), endpoint, device, task, target, codeptr_ra);
}

void OnTargetDataOp(ompt_id_t target, ompt_id_t operation, ompt_target_data_op_t type, void* source, int,
                    void* destination, int, size_t bytes, const void*) {
  if (type > ompt_target_data_delete) return;
  // The source is on the host, except where data leaves the device or its memory goes.
  const bool from_device = type == ompt_target_data_transfer_from_device || type == ompt_target_data_delete;
  if (auto* callback = CallbackOf<void(ompt_id_t, ompt_id_t, int, void*, void*, size_t)>(kTargetDataOp))
    callback(target, operation, type, from_device ? destination : source, from_device ? source : destination, bytes);
}

void OnTargetSubmit(ompt_id_t target, ompt_id_t operation, unsigned) {
  if (auto* callback = CallbackOf<void(ompt_id_t, ompt_id_t)>(kTargetSubmit)) callback(target, operation);
}

template <Event kEvent>
void OnSyncRegion(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t* parallel, ompt_data_t* task,
                  const void* codeptr_ra) {
  const int told = SyncRegionOf(kind);
  if (told == 0) return;
  if (auto* callback = CallbackOf<void(int, ompt_scope_endpoint_t, ompt_data_t*, ompt_data_t*, const void*)>(kEvent))
    callback(told, endpoint, parallel, task, codeptr_ra);
}

template <Event kEvent>
void OnMutex(ompt_mutex_t kind, ompt_wait_id_t wait_id, const void* codeptr_ra) {
  if (auto* callback = CallbackOf<void(int, ompt_wait_id_t, const void*)>(kEvent))
    callback(MutexOf(kind), wait_id, codeptr_ra);
}

template <Event kEvent>
void OnMutexAcquire(ompt_mutex_t kind, unsigned hint, unsigned impl, ompt_wait_id_t wait_id, const void* codeptr_ra) {
  // The routines that test a lock do not wait for it.
  if (kind == ompt_mutex_test_lock || kind == ompt_mutex_test_nest_lock) return;
  if (auto* callback = CallbackOf<void(int, unsigned, unsigned, ompt_wait_id_t, const void*)>(kEvent))
    callback(MutexOf(kind), hint, impl, wait_id, codeptr_ra);
}

// The dependences of a task. Those of an ordered loop are no dependences of tasks.
void OnDependences(ompt_data_t* task, const ompt_dependence_t* dependences, int count) {
  auto* callback = CallbackOf<void(ompt_data_t*, const Dependence*, int)>(kTaskDependences);
  if (callback == nullptr || count <= 0 || IsTaskwait(task)) return;
  auto* told = static_cast<Dependence*>(malloc(static_cast<size_t>(count) * sizeof(Dependence)));
  if (told == nullptr) return;
  int size = 0;
  for (int i = 0; i < count; i++) {
    const unsigned flags = DependenceOf(dependences[i].dependence_type);
    if (flags != 0) told[size++] = {dependences[i].variable.ptr, flags};
  }
  if (size != 0) callback(task, told, size);
  free(told);
}

// A taskwait with dependences is no task for the tool.
void OnTaskDependence(ompt_data_t* source, ompt_data_t* sink) {
  if (IsTaskwait(source) || IsTaskwait(sink)) return;
  if (auto* callback = CallbackOf<void(ompt_data_t*, ompt_data_t*)>(kTaskDependence)) callback(source, sink);
}

void OnWork(ompt_work_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t* parallel, ompt_data_t* task, uint64_t count,
            const void* codeptr_ra) {
  const int told = WorkOf(kind);
  if (told == 0) return;
  if (auto* callback =
          CallbackOf<void(int, ompt_scope_endpoint_t, ompt_data_t*, ompt_data_t*, uint64_t, const void*)>(kWork))
    callback(told, endpoint, parallel, task, count, codeptr_ra);
}

template <typename Function>
ompt_callback_t Erase(Function* function) {
  return reinterpret_cast<ompt_callback_t>(function);
}

// The callback of the tool in front for an event. NULL: the older tool's callback has the right arguments itself.
ompt_callback_t InFront(Event event) {
  switch (event) {
    case kParallelBegin:
      return Erase(OnParallelBegin);
    case kParallelEnd:
      return Erase(OnParallelEnd);
    case kTaskCreate:
      return Erase(OnTaskCreate);
    case kTaskSchedule:
      return Erase(OnTaskSchedule);
    case kImplicitTask:
      return Erase(OnImplicitTask);
    case kTarget:
      return Erase(OnTarget);
    case kTargetDataOp:
      return Erase(OnTargetDataOp);
    case kTargetSubmit:
      return Erase(OnTargetSubmit);
    case kSyncRegionWait:
      return Erase(OnSyncRegion<kSyncRegionWait>);
    case kMutexReleased:
      return Erase(OnMutex<kMutexReleased>);
    case kTaskDependences:
      return Erase(OnDependences);
    case kTaskDependence:
      return Erase(OnTaskDependence);
    case kWork:
      return Erase(OnWork);
    case kSyncRegion:
      return Erase(OnSyncRegion<kSyncRegion>);
    case kLockInit:
      return Erase(OnMutexAcquire<kLockInit>);
    case kLockDestroy:
      return Erase(OnMutex<kLockDestroy>);
    case kMutexAcquire:
      return Erase(OnMutexAcquire<kMutexAcquire>);
    case kMutexAcquired:
      return Erase(OnMutex<kMutexAcquired>);
    default:
      return nullptr;
  }
}

// Registers the callback of the tool in front for the first event, if the older tool listens to any of the events.
void HearFor(std::initializer_list<Event> events) {
  bool is_heard = false;
  for (const Event event : events) is_heard |= callbacks[event].load(std::memory_order_relaxed) != nullptr;
  const Event first = *events.begin();
  set_callback(FiveOf(first), is_heard ? InFront(first) : nullptr);
}

int SetCallback(int number, ompt_callback_t callback) {
  if (number <= 0 || number >= kEvents) return kSetError;
  const auto event = static_cast<Event>(number);
  // A worker is idle from the moment in which the primary thread has left its region, and no call tells this moment.
  if (event == kIdle) return kSetNever;
  callbacks[event].store(callback, std::memory_order_relaxed);
  const ompt_callback_t own = InFront(event);
  const ompt_set_result_t result = set_callback(FiveOf(event), callback != nullptr && own != nullptr ? own : callback);
  // Some events of OpenMP 5.1 tell several events of the chapter.
  HearFor({kTaskCreate, kSyncRegion, kSyncRegionWait});
  HearFor({kTaskSchedule, kSyncRegion, kSyncRegionWait});
  HearFor({kImplicitTask, kTaskCreate});
  return result == ompt_set_error ? kSetError : ResultOf(event, result);
}

int GetCallback(int event, ompt_callback_t* callback) {
  if (event <= 0 || event >= kEvents) return 0;
  *callback = callbacks[event].load(std::memory_order_relaxed);
  return *callback != nullptr;
}

// Async-signal-safe, as the entry points that these two ask.
int GetState(ompt_wait_id_t* wait_id) { return StateOf(get_state(wait_id)); }

int GetTaskInfo(int level, int* flags, ompt_data_t** task, Frame** frame, ompt_data_t** parallel, int* thread_num) {
  ompt_frame_t* found = nullptr;
  const int result = get_task_info(level, flags, task, &found, parallel, thread_num);
  if (result != 0 && frame != nullptr) *frame = found != nullptr ? KeepFrame(level, ConvertFrame(*found)) : nullptr;
  return result;
}

ompt_interface_fn_t Lookup(const char* name) {
  static const struct {
    const char* name;
    ompt_interface_fn_t function;
  } kOwn[] = {
      {"ompt_set_callback", reinterpret_cast<ompt_interface_fn_t>(SetCallback)},
      {"ompt_get_callback", reinterpret_cast<ompt_interface_fn_t>(GetCallback)},
      {"ompt_get_state", reinterpret_cast<ompt_interface_fn_t>(GetState)},
      {"ompt_enumerate_states", reinterpret_cast<ompt_interface_fn_t>(EnumerateStates)},
      {"ompt_get_task_info", reinterpret_cast<ompt_interface_fn_t>(GetTaskInfo)},
  };
  // The chapter's entry points that have the same values in OpenMP 5.1.
  static const char* const kSame[] = {
      "ompt_enumerate_mutex_impls", "ompt_get_thread_data", "ompt_get_num_places",  "ompt_get_place_proc_ids",
      "ompt_get_place_num",         "ompt_get_proc_id",     "ompt_get_target_info", "ompt_get_partition_place_nums",
      "ompt_get_parallel_info",     "ompt_get_num_devices", "ompt_get_unique_id"};
  for (const auto& own : kOwn)
    if (strcmp(own.name, name) == 0) return own.function;
  for (const char* same : kSame)
    if (strcmp(same, name) == 0) return lookup_five(name);
  return nullptr;
}

int Initialize(ompt_function_lookup_t lookup, int, ompt_data_t*) {
  lookup_five = lookup;
  set_callback = reinterpret_cast<ompt_set_callback_t>(lookup("ompt_set_callback"));
  get_state = reinterpret_cast<ompt_get_state_t>(lookup("ompt_get_state"));
  get_task_info = reinterpret_cast<ompt_get_task_info_t>(lookup("ompt_get_task_info"));
  get_parallel_info = reinterpret_cast<ompt_get_parallel_info_t>(lookup("ompt_get_parallel_info"));
  for (auto& callback : callbacks) callback.store(nullptr, std::memory_order_relaxed);
  return tool->initialize(Lookup, tool);
}

void Finalize(ompt_data_t*) {
  if (tool->finalize != nullptr) tool->finalize(tool);
}

ompt_start_tool_result_t front = {Initialize, Finalize, {0}};

}  // namespace
}  // namespace tr6

ompt_start_tool_result_t* FrontOfTr6Tool(ompt_start_tool_result_t* tool) {
  tr6::tool = reinterpret_cast<tr6::Functions*>(tool);
  return &tr6::front;
}

}  // namespace gomp_ompt
