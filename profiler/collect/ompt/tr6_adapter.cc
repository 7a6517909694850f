#include "profiler/collect/ompt/tr6_adapter.h"

#include <stdint.h>

#include "profiler/collect/base/seal.h"
#include "profiler/collect/ompt/bind.h"
#include "profiler/collect/ompt/tr2_values.h"
#include "profiler/collect/paths/path_here.h"
#include "profiler/collect/quirks/libomp_lock_tests.h"
#include "profiler/collect/thread/session.h"
#include "profiler/collect/thread/thread_state.h"
#include "proto/ompt_state.h"

namespace ompprof::collect {
namespace {

// Values of the chapter.
enum SyncRegion { kBarrier = 1, kTaskwait = 2, kTaskgroup = 3 };
enum Mutex { kNestLock = 0x12, kCritical = 0x13, kAtomic = 0x14, kOrdered = 0x20 };
constexpr int kStatusOthers = 4;
constexpr int kFirstOwnState = 0x200;  // implementation-defined states begin here

// ompt_frame_t of the chapter: the beginning of that of OpenMP 5.x.
struct FrameAddresses {
  void* exit_frame;
  void* enter_frame;
};

// One runtime's functions, and the collector's callbacks by the numbers of OpenMP 5.x.
struct Spoken {
  ompt_set_callback_t set_callback;
  ompt_enumerate_states_t enumerate_states;
  ompt_get_state_t get_state;
  ompt_get_parallel_info_t get_parallel_info;
  ompt_get_task_info_t get_task_info;
  bool own_numbers;
  bool early;      // the runtime of the chapter's authors: states and types of tasks have still older numbers
  bool linked_in;  // the runtime is a part of the program
  ompt_callback_t heard[kOmptEvents];
};
Spoken spoken[kMaxRuntimes];

template <typename Callback>
Callback Heard(int runtime, ompt_callbacks_t event) {
  return reinterpret_cast<Callback>(spoken[runtime].heard[event]);
}

// The state by the numbers of OpenMP 5.x. Async-signal-safe.
OmptState StateNow(int runtime, ompt_wait_id_t* wait_id) {
  const int state = spoken[runtime].get_state(wait_id);
  return spoken[runtime].early ? tr2::StateOf(state) : static_cast<OmptState>(state);
}

int TypeOf(int runtime, int type) { return spoken[runtime].early ? tr6::EarlyTypeOf(type) : type; }

// The kind of a barrier, which the event does not tell. The runtime's state may tell it.
ompt_sync_region_t BarrierKind(int runtime) {
  ompt_wait_id_t wait_id;
  switch (spoken[runtime].get_state != nullptr ? StateNow(runtime, &wait_id) : OmptState::kUndefined) {
    case OmptState::kWaitBarrierImplicitParallel:
      return ompt_sync_region_barrier_implicit_parallel;
    case OmptState::kWaitBarrierImplicitWorkshare:
      return ompt_sync_region_barrier_implicit_workshare;
    case OmptState::kWaitBarrierImplicit:
      return ompt_sync_region_barrier_implicit;
    case OmptState::kWaitBarrierExplicit:
      return ompt_sync_region_barrier_explicit;
    default:
      return ompt_sync_region_barrier;
  }
}

ompt_sync_region_t SyncRegionOf(int runtime, int kind) {
  if (kind == kTaskwait) return ompt_sync_region_taskwait;
  if (kind == kTaskgroup) return ompt_sync_region_taskgroup;
  return BarrierKind(runtime);
}

// The callbacks whose arguments differ, as the runtime calls them.
template <int kRuntime>
struct Translator {
  // A runtime that takes the return address of its caller's caller has none if its code keeps no frame pointers.
  static void ParallelBegin(ompt_data_t* task_data, const ompt_frame_t* frame, ompt_data_t* parallel_data,
                            unsigned int requested, int invoker, const void* codeptr_ra) {
    if (codeptr_ra == nullptr && this_thread != nullptr && session.active.load(std::memory_order_relaxed) &&
        !seal.process.load(std::memory_order_relaxed))
      codeptr_ra = reinterpret_cast<const void*>(CallerHere(this_thread));
    Heard<ompt_callback_parallel_begin_t>(kRuntime, ompt_callback_parallel_begin)(
        task_data, frame, parallel_data, requested, invoker | ompt_parallel_team, codeptr_ra);
  }
  static void TaskCreate(ompt_data_t* task_data, const ompt_frame_t* frame, ompt_data_t* new_task_data, int type,
                         int has_dependences, const void* codeptr_ra) {
    Heard<ompt_callback_task_create_t>(kRuntime, ompt_callback_task_create)(
        task_data, frame, new_task_data, TypeOf(kRuntime, type), has_dependences, codeptr_ra);
  }
  static void ImplicitTask(ompt_scope_endpoint_t endpoint, ompt_data_t* parallel_data, ompt_data_t* task_data,
                           unsigned int team_size, unsigned int thread_num) {
    // Initial tasks come by task_create.
    Heard<ompt_callback_implicit_task_t>(kRuntime, ompt_callback_implicit_task)(
        endpoint, parallel_data, task_data, team_size, thread_num, ompt_task_implicit);
  }
  static void TaskSchedule(ompt_data_t* prior, int status, ompt_data_t* next) {
    Heard<ompt_callback_task_schedule_t>(kRuntime, ompt_callback_task_schedule)(prior, tr6::StatusOf(status), next);
  }
  static void SyncRegionWait(int kind, ompt_scope_endpoint_t endpoint, ompt_data_t* parallel_data,
                             ompt_data_t* task_data, const void* codeptr_ra) {
    Heard<ompt_callback_sync_region_t>(kRuntime, ompt_callback_sync_region_wait)(SyncRegionOf(kRuntime, kind), endpoint,
                                                                                 parallel_data, task_data, codeptr_ra);
  }
  static void MutexAcquire(int kind, unsigned int hint, unsigned int impl, ompt_wait_id_t wait_id,
                           const void* codeptr_ra) {
    ompt_mutex_t mutex = tr6::MutexOf(kind);
    // The collector sees this function as the caller.
    if (libomp::IsLockTest(mutex, reinterpret_cast<uintptr_t>(__builtin_return_address(0))))
      mutex = ompt_mutex_test_lock;
    Heard<ompt_callback_mutex_acquire_t>(kRuntime, ompt_callback_mutex_acquire)(mutex, hint, impl, wait_id, codeptr_ra);
  }
  static void LockInit(int kind, unsigned int hint, unsigned int impl, ompt_wait_id_t wait_id, const void* codeptr_ra) {
    Heard<ompt_callback_mutex_acquire_t>(kRuntime, ompt_callback_lock_init)(tr6::MutexOf(kind), hint, impl, wait_id,
                                                                            codeptr_ra);
  }
  template <ompt_callbacks_t kEvent>
  static void Mutex(int kind, ompt_wait_id_t wait_id, const void* codeptr_ra) {
    Heard<ompt_callback_mutex_t>(kRuntime, kEvent)(tr6::MutexOf(kind), wait_id, codeptr_ra);
  }

  // Instead of the collector's callback; NULL if the arguments are the same.
  static ompt_callback_t Of(ompt_callbacks_t event) {
    const auto erase = [](auto* function) { return reinterpret_cast<ompt_callback_t>(function); };
    switch (event) {
      case ompt_callback_parallel_begin:
        return erase(&ParallelBegin);
      case ompt_callback_task_create:
        return erase(&TaskCreate);
      case ompt_callback_implicit_task:
        return erase(&ImplicitTask);
      case ompt_callback_task_schedule:
        return erase(&TaskSchedule);
      case ompt_callback_sync_region_wait:
        return erase(&SyncRegionWait);
      case ompt_callback_mutex_acquire:
        return erase(&MutexAcquire);
      case ompt_callback_lock_init:
        return erase(&LockInit);
      case ompt_callback_mutex_acquired:
        return erase(&Mutex<ompt_callback_mutex_acquired>);
      case ompt_callback_mutex_released:
        return erase(&Mutex<ompt_callback_mutex_released>);
      case ompt_callback_lock_destroy:
        return erase(&Mutex<ompt_callback_lock_destroy>);
      default:
        return nullptr;
    }
  }
};

// The entry points whose values differ.

template <int kRuntime>
ompt_set_result_t Tr6SetCallback(ompt_callbacks_t event, ompt_callback_t callback) {
  Spoken& runtime = spoken[kRuntime];
  const int number = tr6::EventOf(event);
  if (number == 0) return ompt_set_never;
  runtime.heard[event] = callback;
  const ompt_callback_t translator = Translator<kRuntime>::Of(event);
  return tr6::ResultOf(
      runtime.set_callback(static_cast<ompt_callbacks_t>(runtime.own_numbers ? number : static_cast<int>(event)),
                           translator != nullptr ? translator : callback));
}

// Standard states have the names of OpenMP 5.x, which reports know.
template <int kRuntime>
int Tr6EnumerateStates(int current, int* next, const char** name) {
  // A state that a runtime names after itself would make the loop endless.
  constexpr int kMostStates = 128;
  if (spoken[kRuntime].early) return 0;
  for (int i = 0; i < kMostStates && spoken[kRuntime].enumerate_states(current, next, name) != 0; ++i) {
    if (*next >= kFirstOwnState) return 1;
    current = *next;
  }
  return 0;
}

template <int kRuntime>
int Tr6GetState(ompt_wait_id_t* wait_id) {
  return static_cast<int>(StateNow(kRuntime, wait_id));
}

// A result of 1 says that there is a task, and not whether the runtime has told about it. The runtime that was written
// along with the chapter tells everything then, except for the thread's number, which the events tell.
template <int kRuntime>
int Tr6GetTaskInfo(int level, int* flags, ompt_data_t** task_data, ompt_frame_t** frame, ompt_data_t** parallel_data,
                   int* thread_num) {
  if (thread_num != nullptr) *thread_num = 0;
  const int found = spoken[kRuntime].get_task_info(level, flags, task_data, frame, parallel_data, thread_num);
  *flags = TypeOf(kRuntime, *flags);
  return found == 1 && (*frame != nullptr || *task_data != nullptr) ? 2 : found;
}

template <int kRuntime>
int Tr6GetParallelInfo(int level, ompt_data_t** parallel_data, int* team_size) {
  const int found = spoken[kRuntime].get_parallel_info(level, parallel_data, team_size);
  return found == 1 && *parallel_data != nullptr ? 2 : found;
}

// Both frames are canonical frame addresses. The enter frame is the user's. LLVM's runtimes take it from the user's
// frame pointer, which optimized code uses for other values. So it is left out wherever the bounds of the runtime's
// code tell the same.
template <int kRuntime>
ompt_frame_t Tr6ReadFrame(const ompt_frame_t* frame) {
  FrameAddresses addresses;
  __builtin_memcpy(&addresses, static_cast<const void*>(frame), sizeof addresses);
  ompt_frame_t result;
  result.exit_frame.ptr = addresses.exit_frame;
  result.enter_frame.ptr = spoken[kRuntime].linked_in ? addresses.enter_frame : nullptr;
  result.exit_frame_flags = ompt_frame_runtime | ompt_frame_cfa;
  result.enter_frame_flags = ompt_frame_application | ompt_frame_cfa;
  return result;
}

// Whether the enumeration of states begins with the value of Technical Report 2 (spec 003, ompt_state_first), and not
// with "undefined".
bool IsEarly(ompt_enumerate_states_t enumerate) {
  int next;
  const char* name;
  return enumerate != nullptr && enumerate(ompt_state_undefined, &next, &name) == 0 &&
         enumerate(tr2::kStateFirst, &next, &name) != 0;
}

template <int kRuntime>
void BindFor(ompt_function_lookup_t lookup, bool own_numbers, EntryPoints* entry_points) {
  Spoken& runtime = spoken[kRuntime];
  runtime = {};
  runtime.own_numbers = own_numbers;
  Bind(lookup, "ompt_set_callback", &runtime.set_callback);
  Bind(lookup, "ompt_enumerate_states", &runtime.enumerate_states);
  Bind(lookup, "ompt_get_state", &runtime.get_state);
  Bind(lookup, "ompt_get_parallel_info", &runtime.get_parallel_info);
  Bind(lookup, "ompt_get_task_info", &runtime.get_task_info);
  runtime.early = IsEarly(runtime.enumerate_states);
  runtime.linked_in = IsInProgram(reinterpret_cast<uintptr_t>(runtime.set_callback));
  *entry_points = {};
  Bind(lookup, "ompt_enumerate_mutex_impls", &entry_points->enumerate_mutex_impls);
  entry_points->read_frame = Tr6ReadFrame<kRuntime>;
  if (runtime.set_callback != nullptr) entry_points->set_callback = Tr6SetCallback<kRuntime>;
  if (runtime.enumerate_states != nullptr) entry_points->enumerate_states = Tr6EnumerateStates<kRuntime>;
  if (runtime.get_state != nullptr) entry_points->get_state = Tr6GetState<kRuntime>;
  if (runtime.get_parallel_info != nullptr) entry_points->get_parallel_info = Tr6GetParallelInfo<kRuntime>;
  if (runtime.get_task_info != nullptr) entry_points->get_task_info = Tr6GetTaskInfo<kRuntime>;
}

}  // namespace

namespace tr6 {

int EventOf(ompt_callbacks_t event) {
  const int number = event;
  if (number <= ompt_callback_device_finalize) return number;
  // Two events for devices came in between.
  return number >= ompt_callback_sync_region_wait && number <= ompt_callback_cancel ? number - 2 : 0;
}

ompt_set_result_t ResultOf(int result) {
  constexpr ompt_set_result_t kResults[] = {ompt_set_error, ompt_set_never, ompt_set_sometimes,
                                            ompt_set_sometimes_paired, ompt_set_always};
  return result >= 0 && result <= 4 ? kResults[result] : ompt_set_error;
}

ompt_mutex_t MutexOf(int kind) {
  switch (kind) {
    case kNestLock:
      return ompt_mutex_nest_lock;
    case kCritical:
      return ompt_mutex_critical;
    case kAtomic:
      return ompt_mutex_atomic;
    case kOrdered:
      return ompt_mutex_ordered;
    default:
      return ompt_mutex_lock;
  }
}

int EarlyTypeOf(int type) {
  constexpr int kTypes[] = {0, ompt_task_initial, ompt_task_implicit, ompt_task_explicit, ompt_task_target};
  return type >= 0 && type <= 4 ? kTypes[type] : type;
}

ompt_task_status_t StatusOf(int status) {
  return status == kStatusOthers ? ompt_task_switch : static_cast<ompt_task_status_t>(status);
}

}  // namespace tr6

void BindTr6(int runtime, ompt_function_lookup_t lookup, bool own_numbers, EntryPoints* entry_points) {
  if (runtime == 0) return BindFor<0>(lookup, own_numbers, entry_points);
  BindFor<1>(lookup, own_numbers, entry_points);
}

}  // namespace ompprof::collect
