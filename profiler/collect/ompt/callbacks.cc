#include "profiler/collect/ompt/callbacks.h"

#include <atomic>

#include "profiler/collect/arch/floating_point.h"
#include "profiler/collect/base/loaded_objects.h"
#include "profiler/collect/base/notes.h"
#include "profiler/collect/base/os.h"
#include "profiler/collect/base/seal.h"
#include "profiler/collect/blame/debt.h"
#include "profiler/collect/blame/region_waits.h"
#include "profiler/collect/blame/sync_waits.h"
#include "profiler/collect/blame/wait_rows.h"
#include "profiler/collect/blame/waits.h"
#include "profiler/collect/devices/device_events.h"
#include "profiler/collect/devices/device_trace.h"
#include "profiler/collect/locks/lock_origins.h"
#include "profiler/collect/locks/lock_waits.h"
#include "profiler/collect/ompt/worksharing.h"
#include "profiler/collect/paths/path_here.h"
#include "profiler/collect/process/thread_attach.h"
#include "profiler/collect/quirks/libgomp.h"
#include "profiler/collect/quirks/libomp.h"
#include "profiler/collect/quirks/libomp_lock_tests.h"
#include "profiler/collect/sampling/sleeping_call.h"
#include "profiler/collect/tasks/entry_points.h"
#include "profiler/collect/tasks/read_task_view.h"
#include "profiler/collect/tasks/region.h"
#include "profiler/collect/thread/phase.h"
#include "profiler/collect/thread/session.h"
#include "profiler/collect/thread/thread_state.h"
#include "proto/ompt_state.h"

namespace ompprof::collect {

int (*control_command)(uint64_t command) = nullptr;

namespace {

// The place in the runtime that has called a callback.
struct Caller {
  uintptr_t pc;
};

void Count(ThreadState* thread, ompt_callbacks_t event) {
  if (thread != nullptr) Add(&thread->tasks.events[event], 1);
}

template <int kRuntime>
void OnThreadBegin(ompt_thread_t type, ompt_data_t*) {
  ThreadState* thread = this_thread != nullptr ? this_thread : AttachThisThread(nullptr);
  if (thread == nullptr) return;
  Count(thread, ompt_callback_thread_begin);
  thread->waiting.ended.store(false, std::memory_order_relaxed);  // another runtime may have set it
  if (type == ompt_thread_worker)
    thread->tasks.worker_of = kRuntime + 1;
  else if (thread->tasks.worker_of == kRuntime + 1)
    thread->tasks.worker_of = 0;  // a forked child continues in a thread that was a worker
  uint32_t kind = fields::thread::kKindOther;
  if (type == ompt_thread_initial) kind = fields::thread::kKindInitial;
  if (thread->tasks.worker_of != 0) kind = fields::thread::kKindWorker;  // a worker of this runtime, or of the other
  thread->identity.kind.store(kind, std::memory_order_relaxed);
  if (kind == fields::thread::kKindInitial) {
    RootBegins(thread);
  }
  // Asked once here, so that the runtime's set-up at a thread's first question does not happen in the handler.
  const EntryPoints* ompt = ActiveEntryPoints(kRuntime);
  ompt_wait_id_t wait_id;
  if (ompt != nullptr && ompt->get_state != nullptr) ompt->get_state(&wait_id);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  thread->tasks.announced_by |= 1 << kRuntime;
}

template <int kRuntime>
void OnThreadEnd(ompt_data_t*) {
  ThreadState* thread = this_thread;
  if (thread == nullptr) return;
  Count(thread, ompt_callback_thread_end);
  if (thread->identity.kind.load(std::memory_order_relaxed) == fields::thread::kKindInitial) {
    RootEnds(thread);
    if (session.collecting.load(std::memory_order_relaxed)) SettleAtEnd(thread, 0);
  }
  EndWaits(thread, NowFor(thread));
  thread->tasks.announced_by &= ~(1 << kRuntime);
  std::atomic_signal_fence(std::memory_order_seq_cst);
}

// The region around the calling thread's current task, according to `runtime`.
RegionRef EnclosingRegion(int runtime) {
  const EntryPoints* ompt = ActiveEntryPoints(runtime);
  ompt_data_t* data = nullptr;
  int team_size = 0;
  if (ompt == nullptr || ompt->get_parallel_info == nullptr || ompt->get_parallel_info(0, &data, &team_size) != 2 ||
      data == nullptr)
    return 0;
  // The runtime does not always know which teams construct this is.
  const RegionRef ref =
      data->value == kTeamOfLeague && this_thread != nullptr ? this_thread->tasks.league : data->value;
  return IsCurrent(ref) ? ref : 0;
}

// A teams construct has been seen: no thread has an implicit task of its regions.
std::atomic<bool> leagues_seen{false};

// The region in which a new region of `runtime` begins. If the thread is in no region of that runtime, the answer is a
// region of another runtime.
RegionRef ParentRegion(const ThreadState& thread, int runtime) {
  // The thread knows its own region. A question to the runtime costs more than everything else at a region's begin.
  if (!leagues_seen.load(std::memory_order_relaxed)) {
    if (thread.tasks.depth == 0) return 0;
    const RegionRef innermost =
        thread.tasks.depth <= ThreadTasks::kMost ? thread.tasks.open[thread.tasks.depth - 1].region : 0;
    if (IsCurrent(innermost)) return innermost;
  }
  RegionRef parent = EnclosingRegion(runtime);
  for (int other = 0; other < kMaxRuntimes && parent == 0; ++other) {
    if (other != runtime && (thread.tasks.announced_by & 1 << other) != 0) parent = EnclosingRegion(other);
  }
  return parent;
}

// Whether the runtime begins its team of hidden helpers: the first region of a thread that the runtime made, but not as
// a worker, called for by the runtime. `thread` is NULL if pthread_create was not seen and no thread_begin came (libomp
// before version 19).
bool IsTeamOfHelpers(const ThreadState* thread, unsigned int requested, uint64_t codeptr_ra) {
  if (thread != nullptr &&
      (thread->identity.tid == session.pid || thread->tasks.worker_of != 0 || thread->tasks.depth != 0))
    return false;
  if (codeptr_ra == 0 || session.runtime_code.Find(codeptr_ra) == nullptr) return false;
  const uintptr_t routine = thread != nullptr ? reinterpret_cast<uintptr_t>(thread->identity.start_routine) : 0;
  if (routine != 0 && session.runtime_code.Find(routine) == nullptr) return false;
  // Where a library contains the runtime, the library's own threads look the same.
  return libomp::IsSizeOfHelpersTeam(requested);
}

// The thread is neither a thread of the program nor a worker that could receive work: nobody keeps it waiting.
void BecomeHelper(ThreadState* thread) {
  thread->tasks.helper = true;
  RootEnds(thread);
  thread->identity.kind.store(fields::thread::kKindOther, std::memory_order_relaxed);
}

// The thread is in another region. Only the runtime decides which threads are helpers.
void IsNoHelper(ThreadState* thread, unsigned int index) {
  thread->tasks.helper = false;
  thread->identity.kind.store(index != 0 ? fields::thread::kKindWorker : fields::thread::kKindInitial,
                              std::memory_order_relaxed);
}

RegionCounts* CountsOf(ThreadState* thread, const RegionRecord& region) {
  if (thread->tasks.region_stats == nullptr)
    thread->tasks.region_stats = static_cast<RegionStats*>(MapFixed(sizeof(RegionStats)));
  if (thread->tasks.region_stats == nullptr) return nullptr;
  return thread->tasks.region_stats->Find(
      {region.codeptr_ra, region.level, session.epoch.load(std::memory_order_relaxed), region.league});
}

// The path of the calling thread, which begins or ends `region`. It becomes the region's, if that is not known.
uint32_t TakeCreator(ThreadState* thread, RegionRecord* region, TaskView* view) {
  const uint32_t node = PathHere(thread, view);
  if (node != 0 && region->context.load(std::memory_order_relaxed) == 0) {
    region->splice = view->splice;
    region->context.store(static_cast<uint64_t>(thread->paths.slot->tree.id()) << 32 | node, std::memory_order_release);
  }
  return node;
}

// A worker's launch on a device needs the region's path early. See SpliceKey in devices/device_events.cc.
__attribute__((noinline)) void TakeCreatorAtBegin(ThreadState* thread, RegionRecord* region) {
  TaskView view;
  if (session.collecting.load(std::memory_order_relaxed)) TakeCreator(thread, region, &view);
}

template <int kRuntime>
void OnParallelBegin(ompt_data_t*, const ompt_frame_t*, ompt_data_t* parallel_data, unsigned int requested, int flags,
                     const void* codeptr_ra) {
  parallel_data->value = 0;
  ThreadState* thread = this_thread;
  if (!session.active.load(std::memory_order_relaxed)) return;
  if (IsTeamOfHelpers(thread, requested, reinterpret_cast<uint64_t>(codeptr_ra))) {
    parallel_data->value = kTeamOfHelpers;
    return;
  }
  if (thread == nullptr) return;
  Count(thread, ompt_callback_parallel_begin);
  if (libomp::IsTeamOfLeague(flags, codeptr_ra) && LiveRegion(thread->tasks.league) != nullptr) {
    parallel_data->value = kTeamOfLeague;
    return;
  }
  RegionRecord* region = thread->tasks.regions->Allocate(requested);
  if (region == nullptr) return;
  region->codeptr_ra = reinterpret_cast<uint64_t>(codeptr_ra);
  region->requested_team_size = requested;
  region->league = (flags & ompt_parallel_league) != 0;
  if (region->league) leagues_seen.store(true, std::memory_order_relaxed);
  region->parent = ParentRegion(*thread, kRuntime);
  region->level = region->parent != 0 ? static_cast<uint16_t>(RegionOf(region->parent)->level + 1) : 0;
  region->phase = PhaseIn(*thread, region->parent);
  region->begin_ns = NowFor(thread);
  TeamBegins(thread, region);
  region->counts = CountsOf(thread, *region);
  if (region->counts != nullptr) {
    region->counts->AddBegin(requested);
    if (region->counts->wants_path.load(std::memory_order_relaxed)) TakeCreatorAtBegin(thread, region);
  }
  parallel_data->value = MakeRef(region);
  if (region->league) thread->tasks.league = parallel_data->value;
}

void OnParallelEnd(ompt_data_t* parallel_data, ompt_data_t*, int, const void* codeptr_ra) {
  ThreadState* thread = this_thread;
  const RegionRef ref = parallel_data != nullptr ? parallel_data->value : 0;
  if (thread == nullptr || !IsCurrent(ref)) return;
  Count(thread, ompt_callback_parallel_end);
  RegionRecord* region = RegionOf(ref);
  // libomp 14, with cancellation, ends a region twice. By the second end, the record belongs to the writer.
  if (!region->live.load(std::memory_order_relaxed)) return;
  if (region->codeptr_ra == 0 && codeptr_ra != nullptr) {
    region->codeptr_ra = reinterpret_cast<uint64_t>(codeptr_ra);
    region->counts = CountsOf(thread, *region);
  }
  const uint64_t now = NowFor(thread);
  RegionCounts* counts = region->counts;
  uint64_t wait_ns = 0;
  const bool with_path =
      RegionEnds(thread, region, now, counts, &wait_ns) && session.collecting.load(std::memory_order_relaxed);
  if (with_path) region->sampled.store(true, std::memory_order_relaxed);
  if (counts != nullptr)
    counts->AddEnd(now - region->begin_ns, region->actual_team_size.load(std::memory_order_relaxed));
  region->live.store(false, std::memory_order_seq_cst);
  if (!region->sampled.load(std::memory_order_seq_cst)) {
    thread->tasks.regions->FreeOwn(region);
    return;
  }
  if (with_path || region->context.load(std::memory_order_relaxed) == 0) {
    TaskView view;
    const uint32_t node = TakeCreator(thread, region, &view);
    const uint32_t task = with_path && node != 0 ? ImplicitTaskNode(thread, node, region->codeptr_ra) : 0;
    if (task != 0) {
      Sample row{};
      row.kind = kWaited;
      row.estimated = region->team.IsEstimated();
      row.extra = wait_ns;
      row.splice = view.splice;
      row.region = ref;
      row.node = task;
      row.state = OmptState::kWaitBarrierImplicitParallel;
      if (PushFromCallback(thread, row) && counts != nullptr) Add(&counts->end_wait_path_ns, wait_ns);
    }
  }
  thread->tasks.regions->Retire(region);
}

void OnImplicitTask(ompt_scope_endpoint_t endpoint, ompt_data_t* parallel_data, ompt_data_t* task_data,
                    unsigned int actual, unsigned int index, int flags) {
  ThreadState* thread = this_thread;
  Count(thread, ompt_callback_implicit_task);
  if (thread != nullptr && (flags & ompt_task_initial) == 0) {
    WaitHasEnded(thread);
    if (endpoint == ompt_scope_begin && index != 0) thread->waiting.stack.CutTo(0);  // a worker begins without waits
    const bool helpers = parallel_data != nullptr && parallel_data->value == kTeamOfHelpers;
    if (endpoint != ompt_scope_begin) {
      ImplicitTaskEnds(thread);
    } else if (helpers) {
      BecomeHelper(thread);
    } else {
      if (thread->tasks.helper) IsNoHelper(thread, index);
      ImplicitTaskBegins(thread, parallel_data != nullptr ? parallel_data->value : 0, actual, index);
      if (OpenTask* task = CurrentTask(thread)) task->data = task_data;
    }
  }
  if (endpoint != ompt_scope_begin || parallel_data == nullptr) return;
  if ((flags & ompt_task_initial) != 0) {
    // The thread that began the teams construct has its region already, and LLVM's runtime may name another region.
    const RegionRecord* region = index != 0 && thread != nullptr ? LiveRegion(parallel_data->value) : nullptr;
    if (region != nullptr && region->league) thread->tasks.league = parallel_data->value;
    return;
  }
  if (index != 0) return;
  if (IsCurrent(parallel_data->value))
    RegionOf(parallel_data->value)->actual_team_size.store(actual, std::memory_order_relaxed);
}

// The data word of a taskwait with dependences and nowait. Such a task is complete while its thread does something
// else.
constexpr uint64_t kNobodyWaits = 1;

void WaitForDependences(ThreadState* thread, const ompt_data_t* task, const void* codeptr_ra) {
  if (thread != nullptr && session.config.waits)
    WaitBegins(thread, ompt_sync_region_taskwait, task, reinterpret_cast<uint64_t>(codeptr_ra));
}

template <int kRuntime>
void OnTaskCreate(ompt_data_t*, const ompt_frame_t*, ompt_data_t* new_task_data, int flags, int has_dependences,
                  const void* codeptr_ra) {
  ThreadState* thread = this_thread;
  Count(thread, ompt_callback_task_create);
  if (new_task_data == nullptr) return;
  if ((flags & ompt_task_explicit) == 0) {
    // A taskwait with dependences is a task: it is created when the waiting begins, and complete when the waiting ends.
    // LLVM's runtime also reports the dependences of an undeferred task in this way. The data word of such a task has
    // to stay 0 (LLVM's runtime asserts this).
    // With nowait, nobody waits, and the word says so.
    if ((flags & ompt_task_taskwait) != 0) {
      if ((flags & ompt_task_undeferred) != 0)
        WaitForDependences(thread, new_task_data, codeptr_ra);
      else
        new_task_data->value = kNobodyWaits;
    }
    if ((flags & ompt_task_target) == 0) return;
    target_tasks_seen.store(true, std::memory_order_relaxed);
    if (thread != nullptr) TargetTaskIsCreated(thread, new_task_data, flags);
  }
  new_task_data->value = 0;
  if (thread != nullptr) TaskMade(thread, flags);
  if (libgomp::WaitsForDependences(flags, has_dependences != 0) && IsGomp(kRuntime))
    WaitForDependences(thread, new_task_data, codeptr_ra);
  if (session.config.task_context == TaskContext::kNone) return;
  new_task_data->value = reinterpret_cast<uint64_t>(codeptr_ra);
  if (session.config.task_context == TaskContext::kFull && thread != nullptr &&
      session.collecting.load(std::memory_order_relaxed)) {
    TaskView view;
    const uint32_t node = PathHere(thread, &view);
    if (node != 0)
      new_task_data->value = 1ull << 63 | static_cast<uint64_t>(thread->paths.slot->tree.id()) << 32 | node;
  }
}

int OnControlTool(uint64_t command, uint64_t, void*, const void*) {
  Count(this_thread, ompt_callback_control_tool);
  return control_command != nullptr ? control_command(command) : 1;
}

void OnError(ompt_severity_t severity, const char* message, size_t length, const void*) {
  Count(this_thread, ompt_callback_error);
  AddNote("the OpenMP runtime reported %s: %.*s", severity == ompt_fatal ? "a fatal error" : "a warning",
          static_cast<int>(length), message);
}

// Between mutex_acquire and mutex_acquired, the thread waits for a mutex of this kind, whatever the runtime's state is:
// libomp 14 reports wait_lock for a critical construct.
void OnMutexAcquire(Caller caller, ompt_mutex_t kind, unsigned int, unsigned int, ompt_wait_id_t wait_id,
                    const void* codeptr_ra) {
  ThreadState* thread = this_thread;
  if (thread == nullptr) return;
  Count(thread, ompt_callback_mutex_acquire);
  thread->locks.wanted_id = wait_id;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  // A test that fails has no mutex_acquired at its end. It does not wait either.
  const bool test = libomp::IsLockTest(kind, caller.pc);
  thread->locks.wanted_kind = test ? 0 : static_cast<int>(kind);
  const auto codeptr = reinterpret_cast<uint64_t>(codeptr_ra);
  if (test)
    LockTested(thread, codeptr);
  else
    LockWanted(thread, kind, wait_id, codeptr);
}

// A thread that takes a nestable lock again gets this event instead of mutex_acquired.
void OnNestLock(ompt_scope_endpoint_t endpoint, ompt_wait_id_t, const void*) {
  ThreadState* thread = this_thread;
  if (thread == nullptr) return;
  Count(thread, ompt_callback_nest_lock);
  if (endpoint != ompt_scope_begin) return;
  thread->locks.wanted_kind = 0;
  LockGivenUp(thread);
}

void OnMutexAcquired(ompt_mutex_t kind, ompt_wait_id_t wait_id, const void*) {
  ThreadState* thread = this_thread;
  if (thread == nullptr) return;
  thread->locks.wanted_kind = 0;
  Count(thread, ompt_callback_mutex_acquired);
  LockTaken(thread, kind, wait_id);
  WaitHasEnded(thread);
}

void OnTaskSchedule(ompt_data_t* prior, ompt_task_status_t status, ompt_data_t* next) {
  ThreadState* thread = this_thread;
  if (thread == nullptr) return;
  Count(thread, ompt_callback_task_schedule);
  if (status == ompt_task_complete || status == ompt_task_cancel || status == ompt_task_detach) TaskEnds(thread, prior);
  if (status == ompt_taskwait_complete && prior->value != kNobodyWaits) WaitEnds(thread, prior);
  if (status == ompt_task_switch || status == ompt_task_yield) TaskSwitches(thread, prior, next);
}

void OnSyncRegionWait(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t*, ompt_data_t* task_data,
                      const void* codeptr_ra) {
  ThreadState* thread = this_thread;
  if (thread == nullptr) return;
  Count(thread, ompt_callback_sync_region_wait);
  // A helper that executes no task is at the end of its team's region.
  if (endpoint == ompt_scope_begin && !(thread->tasks.helper && thread->waiting.stack.depth() == 0))
    WaitBegins(thread, kind, task_data, reinterpret_cast<uint64_t>(codeptr_ra));
  if (endpoint != ompt_scope_end) return;
  WaitEnds(thread, task_data);
  WaitHasEnded(thread);
}

void OnMutexReleased(ompt_mutex_t kind, ompt_wait_id_t wait_id, const void* codeptr_ra) {
  ThreadState* thread = this_thread;
  if (thread == nullptr) return;
  Count(thread, ompt_callback_mutex_released);
  LockReleased(thread, kind, wait_id, reinterpret_cast<uint64_t>(codeptr_ra));
}

// Runtimes report "other" instead of "executor" for threads that a single construct passes over.
void OnWork(ompt_work_t type, ompt_scope_endpoint_t endpoint, ompt_data_t* parallel_data, ompt_data_t*, uint64_t count,
            const void* codeptr_ra) {
  ThreadState* thread = this_thread;
  if (thread == nullptr) return;
  Count(thread, ompt_callback_work);
  WorkEnds(thread);
  if (endpoint != ompt_scope_end && type != ompt_work_single_other)
    WorkBegins(thread, type, parallel_data != nullptr ? parallel_data->value : 0, count,
               reinterpret_cast<uint64_t>(codeptr_ra));
}

// A chunk of a loop, or a section.
void OnDispatch(ompt_data_t*, ompt_data_t*, ompt_dispatch_t, ompt_data_t) {
  ThreadState* thread = this_thread;
  if (thread == nullptr) return;
  Count(thread, ompt_callback_dispatch);
  ChunkBegins(thread);
}

// Whether the address lies in a loaded object. The lock is then a variable, and the variable's symbol names it.
bool InModule(uint64_t address) {
  LoadedObject object;
  return FindLoadedObject(address, &object);
}

void OnLockInit(ompt_mutex_t kind, unsigned int, unsigned int, ompt_wait_id_t wait_id, const void* codeptr_ra) {
  ThreadState* thread = this_thread;
  if (thread == nullptr || !session.active.load(std::memory_order_relaxed)) return;
  Count(thread, ompt_callback_lock_init);
  const LockOrigins::Made made = lock_origins.Init(wait_id, reinterpret_cast<uint64_t>(codeptr_ra), kind,
                                                   session.epoch.load(std::memory_order_relaxed));
  if (made.overflowed)
    AddNote("more than %u locks were made: some of the later locks are named only by their addresses",
            LockOrigins::kMaxLocks);
  if (made.origin == nullptr) return;
  if (made.wants_path && !InModule(wait_id)) {
    TaskView view;
    const uint32_t node = PathHere(thread, &view);
    if (node != 0) {
      made.origin->tree = thread->paths.slot->tree.id();
      made.origin->node = node;
      made.origin->splice = view.splice;
    }
  }
  lock_origins.Publish(made.origin);
}

void OnLockDestroy(ompt_mutex_t, ompt_wait_id_t wait_id, const void*) {
  ThreadState* thread = this_thread;
  if (thread == nullptr) return;
  Count(thread, ompt_callback_lock_destroy);
  lock_origins.Destroy(wait_id);
  lock_table.Destroy(wait_id);
}

void OnDeviceInitialize(int device, const char* type, ompt_device_t* handle, ompt_function_lookup_t lookup,
                        const char*) {
  Count(this_thread, ompt_callback_device_initialize);
  DeviceIsThere(device, type, handle, lookup);
}

void OnDeviceFinalize(int device) {
  Count(this_thread, ompt_callback_device_finalize);
  EndTrace(device);
}

void OnTarget(ompt_target_t kind, ompt_scope_endpoint_t endpoint, int device, ompt_data_t* encountering_task,
              ompt_data_t* target_task, ompt_data_t* target, const void* codeptr_ra) {
  ThreadState* thread = this_thread;
  if (thread == nullptr) return;
  Count(thread, ompt_callback_target_emi);
  if (endpoint == ompt_scope_begin)
    TargetBegins(thread, {kind, device, encountering_task, target_task, reinterpret_cast<uint64_t>(codeptr_ra)},
                 target);
  if (endpoint == ompt_scope_end) TargetEnds(thread, target);
}

void OnTargetDataOp(ompt_scope_endpoint_t endpoint, ompt_data_t*, ompt_data_t* target, ompt_id_t* operation_id,
                    ompt_target_data_op_t type, void*, int source_device, void*, int destination_device, size_t bytes,
                    const void* codeptr_ra) {
  ThreadState* thread = this_thread;
  if (thread == nullptr) return;
  Count(thread, ompt_callback_target_data_op_emi);
  const DataOperation operation = {
      type, source_device, destination_device, bytes, reinterpret_cast<uint64_t>(codeptr_ra), target};
  if (endpoint == ompt_scope_begin) DataOperationBegins(thread, operation, operation_id);
  if (endpoint == ompt_scope_end) DataOperationEnds(thread, operation);
}

void OnTargetSubmit(ompt_scope_endpoint_t endpoint, ompt_data_t* target, ompt_id_t* launch_id, unsigned int) {
  ThreadState* thread = this_thread;
  if (thread == nullptr) return;
  Count(thread, ompt_callback_target_submit_emi);
  if (endpoint == ompt_scope_begin) LaunchBegins(thread, target, launch_id);
  if (endpoint == ompt_scope_end) LaunchEnds(thread, target);
}

// The functions that a runtime calls. After the process has given up system calls, a callback does nothing, because no
// runtime can remove all its callbacks.
//
// Some callbacks come a million times a second, and saving the floating-point environment takes 7 ns (Zen 4, twice in
// each callback). These callbacks first find out, without arithmetic, whether there is work for them. They keep later
// arithmetic apart themselves (sync_waits.cc, lock_waits.cc, path_here.cc). floating_point_test finds arithmetic that
// is not kept apart.
enum class Arithmetic { kKeptApart, kKeepsItselfApart };
template <typename Function, Function kFunction, Arithmetic kArithmetic>
struct Entry;
template <typename Result, typename... Arguments, Result (*kFunction)(Arguments...), Arithmetic kArithmetic>
struct Entry<Result (*)(Arguments...), kFunction, kArithmetic> {
  static Result Call(Arguments... arguments) {
    if (__builtin_expect(seal.process.load(std::memory_order_relaxed), false)) return Result();
    if constexpr (kArithmetic == Arithmetic::kKeepsItselfApart) return kFunction(arguments...);
    const OwnFloatingPoint floating_point;
    return kFunction(arguments...);
  }
};

// A function whose first parameter is the caller.
template <typename... Arguments, void (*kFunction)(Caller, Arguments...), Arithmetic kArithmetic>
struct Entry<void (*)(Caller, Arguments...), kFunction, kArithmetic> {
  static void Call(Arguments... arguments) {
    if (__builtin_expect(seal.process.load(std::memory_order_relaxed), false)) return;
    static_assert(kArithmetic == Arithmetic::kKeepsItselfApart);
    kFunction({reinterpret_cast<uintptr_t>(__builtin_return_address(0))}, arguments...);
  }
};

#define OMPPROF_REGISTRATION(event, function, arithmetic, of_waits)                                               \
  {                                                                                                               \
#event, event, reinterpret_cast < ompt_callback_t>(Entry <decltype(&function), &function, arithmetic>::Call), \
        of_waits                                                                                                  \
  }
#define OMPPROF_CALLBACK(event, function) OMPPROF_REGISTRATION(event, function, Arithmetic::kKeptApart, false)
#define OMPPROF_QUICK_CALLBACK(event, function) \
  OMPPROF_REGISTRATION(event, function, Arithmetic::kKeepsItselfApart, false)
// A callback that comes with every lock, barrier, task switch or loop. Tasks are known without task_schedule too: the
// handler reads the data word of a task.
#define OMPPROF_CALLBACK_OF_WAITS(event, function) \
  OMPPROF_REGISTRATION(event, function, Arithmetic::kKeepsItselfApart, true)
template <int kRuntime>
const CallbackRegistration registrations[kRegistrations] = {
    OMPPROF_CALLBACK(ompt_callback_thread_begin, OnThreadBegin<kRuntime>),
    OMPPROF_CALLBACK(ompt_callback_thread_end, OnThreadEnd<kRuntime>),
    OMPPROF_CALLBACK(ompt_callback_parallel_begin, OnParallelBegin<kRuntime>),
    OMPPROF_CALLBACK(ompt_callback_parallel_end, OnParallelEnd),
    OMPPROF_CALLBACK(ompt_callback_implicit_task, OnImplicitTask),
    OMPPROF_QUICK_CALLBACK(ompt_callback_task_create, OnTaskCreate<kRuntime>),
    OMPPROF_CALLBACK_OF_WAITS(ompt_callback_task_schedule, OnTaskSchedule),
    OMPPROF_CALLBACK_OF_WAITS(ompt_callback_sync_region_wait, OnSyncRegionWait),
    OMPPROF_CALLBACK_OF_WAITS(ompt_callback_mutex_acquire, OnMutexAcquire),
    OMPPROF_CALLBACK_OF_WAITS(ompt_callback_mutex_acquired, OnMutexAcquired),
    OMPPROF_CALLBACK_OF_WAITS(ompt_callback_mutex_released, OnMutexReleased),
    OMPPROF_CALLBACK_OF_WAITS(ompt_callback_nest_lock, OnNestLock),
    OMPPROF_CALLBACK_OF_WAITS(ompt_callback_lock_init, OnLockInit),
    OMPPROF_CALLBACK_OF_WAITS(ompt_callback_lock_destroy, OnLockDestroy),
    OMPPROF_CALLBACK_OF_WAITS(ompt_callback_work, OnWork),
    OMPPROF_CALLBACK_OF_WAITS(ompt_callback_dispatch, OnDispatch),
    OMPPROF_CALLBACK(ompt_callback_control_tool, OnControlTool),
    OMPPROF_CALLBACK(ompt_callback_error, OnError),
    OMPPROF_CALLBACK(ompt_callback_device_initialize, OnDeviceInitialize),
    OMPPROF_CALLBACK(ompt_callback_device_finalize, OnDeviceFinalize),
    OMPPROF_CALLBACK(ompt_callback_target_emi, OnTarget),
    OMPPROF_CALLBACK(ompt_callback_target_data_op_emi, OnTargetDataOp),
    OMPPROF_CALLBACK(ompt_callback_target_submit_emi, OnTargetSubmit),
};
#undef OMPPROF_CALLBACK_OF_WAITS
#undef OMPPROF_QUICK_CALLBACK
#undef OMPPROF_CALLBACK
#undef OMPPROF_REGISTRATION

}  // namespace

const CallbackRegistration* Registrations(int runtime) { return runtime == 0 ? registrations<0> : registrations<1>; }

void RegisterCallbacks(int runtime, ompt_set_callback_t set_callback, bool worksharing, int* results) {
  const CallbackRegistration* wanted = Registrations(runtime);
  for (uint32_t i = 0; i < kRegistrations; ++i) {
    const bool of_loops = wanted[i].event == ompt_callback_work || wanted[i].event == ompt_callback_dispatch;
    const bool asked = (session.config.waits || !wanted[i].of_waits) && (worksharing || !of_loops);
    results[i] = asked ? set_callback(wanted[i].event, wanted[i].callback) : 0;
  }
}

}  // namespace ompprof::collect
