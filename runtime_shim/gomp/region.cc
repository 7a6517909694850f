#include "runtime_shim/gomp/region.h"

#include "runtime_shim/gomp/device_target.h"
#include "runtime_shim/gomp/order.h"
#include "runtime_shim/gomp/real.h"
#include "runtime_shim/gomp/worksharing.h"
#include "runtime_shim/ompt/runtime_queries.h"

namespace gomp_ompt {

DECLARE_REAL(omp_get_thread_num, int());
DECLARE_REAL(omp_get_num_threads, int());
DECLARE_REAL(omp_get_max_threads, int());

namespace {

DECLARE_REAL(GOMP_parallel, void(void (*)(void*), void*, unsigned, unsigned));
DECLARE_REAL(omp_get_dynamic, int());

// Stores only if the value changes: the cache line stays with the threads that have read it.
template <class Value>
inline void Set(Value& field, const Value& value) {
  if (!(field == value)) field = value;
}

// Whether `task` is in no region that its runtime knows, and uses the thread's own workers. In a target region on the
// host, libgomp treats the thread as a new thread with other workers, which it ends with the target region.
bool UsesOwnPool(const Task* task) {
  if (IsInTeam(task)) return false;
  for (; task != nullptr; task = task->scheduling_parent)
    if (task->target != nullptr) return false;
  return true;
}

// A team that does not use the thread's own workers has ended. The workers of a nested team end at once. Those of a
// target region on the host stay until it ends, if the next team does not need fewer.
void LeaveForeignPool(Task* task, unsigned workers) {
  if (IsInTeam(task)) return ExpectEnds(workers);
  while (task->target == nullptr) task = task->scheduling_parent;
  if (workers < task->target->workers) ExpectEnds(task->target->workers - workers);
  task->target->workers = workers;
}

void ReportEndOfWorker(void* primary) {
  Thread& thread = this_thread;
  if (&thread == primary) return;
  ReportThreadEnd(thread);
  ForgetThread(thread);
}

// Called at the end of the process. libgomp's workers never end, but a tool needs to hear of the end of their last
// region and of their own end, as with other runtimes. So the calling thread's pool gets a last region, unseen by
// the tool, in which each worker reports these ends. The threads live on: their ends could run destructors (of
// thread_local objects) that don't run without a tool.
void EndWorkers() {
  Thread& thread = this_thread;
  if (!IsKnown(thread) || !IsOutsideRegions(thread) || thread.pool_size == 0) return;
  // A smaller team would end the threads that it does not need.
  if (REAL(omp_get_dynamic)() == 0) REAL(GOMP_parallel)(ReportEndOfWorker, &thread, thread.pool_size, 0);
}

void RememberPool(Thread& thread, unsigned team_size) {
  runtime_queries.end_workers.store(EndWorkers, std::memory_order_relaxed);
  if (team_size < thread.pool_size) ExpectEnds(thread.pool_size - team_size);  // libgomp ends the threads left over
  thread.pool_size = team_size;
}

}  // namespace

Parallel* BeginParallel(void (*function)(void*), void* argument, unsigned num_threads, int flags, const Caller& caller,
                        const Work* work) {
  Thread& thread = this_thread;
  Task* task = thread.current;
  // From now on, the entry points are asked about the outer region at a level where libgomp cannot be asked. So its
  // team size is stored now.
  Parallel* outer = task->parallel;
  if (__builtin_expect(outer->team_size.load(std::memory_order_relaxed) == 0, false))
    outer->team_size.store(static_cast<unsigned>(REAL(omp_get_num_threads)()), std::memory_order_relaxed);
  Parallel* region = TakeParallel(thread);
  region->data = ompt_data_none;
  region->team_size.store(0, std::memory_order_relaxed);
  Set(region->encountering_task, task);
  Set(region->primary, &thread);
  Set(region->function, function);
  Set(region->argument, argument);
  Set(region->codeptr_ra, caller.codeptr_ra);
  Set(region->flags, flags);
  Set(region->work_state, (flags & ompt_parallel_league) != 0 ? WorkState(task) : ompt_state_work_parallel);
  Set(region->begins_work, work != nullptr);
  if (work != nullptr) Set(region->work, *work);
  task->frame.enter_frame.ptr = caller.frame;
  thread.state = ompt_state_overhead;
  if (auto* callback = OMPT_CALLBACK(parallel_begin)) {
    const unsigned requested = num_threads != 0 ? num_threads : static_cast<unsigned>(REAL(omp_get_max_threads)());
    callback(&task->data, &task->frame, &region->data, requested, flags, caller.codeptr_ra);
  }
  Publish(region);
  return region;
}

Task* BeginImplicitTask(Parallel* region) {
  Thread& thread = this_thread;
  thread.has_run_region = true;
  thread.has_place = true;  // libgomp gives each thread of a team a place before it runs the region
  Task* task = TakeTask(thread);
  ClearTask(task);
  task->parallel = region;
  task->scheduling_parent = region->encountering_task;
  task->flags = ompt_task_implicit;
  const bool is_primary = region->primary == &thread;
  task->thread_num = is_primary ? 0 : REAL(omp_get_thread_num)();
  // No call of the user's brought the other threads here.
  task->codeptr_ra = is_primary ? region->codeptr_ra : nullptr;
  // Threads other than the primary thread leave this to the primary thread if possible: libgomp has the size in a cache
  // line that it writes for each region.
  unsigned team_size = 0;
  if (is_primary || OMPT_CALLBACK(implicit_task) != nullptr || !CanAskForTeamSize()) {
    team_size = static_cast<unsigned>(REAL(omp_get_num_threads)());
    region->team_size.store(team_size, std::memory_order_relaxed);
  }
  thread.state = ompt_state_overhead;
  std::atomic_signal_fence(std::memory_order_release);
  thread.current = task;
  if (auto* callback = OMPT_CALLBACK(implicit_task))
    callback(ompt_scope_begin, &region->data, &task->data, team_size, static_cast<unsigned>(task->thread_num),
             ompt_task_implicit);
  if (__builtin_expect(region->begins_work, false)) BeginWork(task, region->work);
  return task;
}

void ArriveAtEnd(Parallel* region) {
  Thread& thread = this_thread;
  Task* task = thread.current;
  EndWork(task, task->work.codeptr_ra);
  thread.state = ompt_state_wait_barrier_implicit_parallel;
  if (auto* callback = OMPT_CALLBACK_AS(sync_region, ompt_callback_sync_region_t))
    callback(ompt_sync_region_barrier_implicit_parallel, ompt_scope_begin, &region->data, &task->data,
             task->codeptr_ra);
  if (auto* callback = OMPT_CALLBACK_AS(sync_region_wait, ompt_callback_sync_region_t))
    callback(ompt_sync_region_barrier_implicit_parallel, ompt_scope_begin, &region->data, &task->data,
             task->codeptr_ra);
  Publish(region);
}

namespace {

inline __attribute__((always_inline)) void Run(void* frame, void* packed_region) {
  Parallel* region = PackedRegion(packed_region);
  Receive(region);
  Thread& thread = this_thread;
  const bool is_primary = region->primary == &thread;
  const uint32_t epoch = ToolEpoch();
  if (!is_primary) {
    if (thread.kind == 0 || thread.epoch != epoch) {
      BeginThread(thread, ompt_thread_worker);
      thread.idle_frame = static_cast<char*>(frame) + kFramePointerToCfa;
    } else {
      FinishLastRegion(thread);
    }
    thread.arrived_generation = PackedGeneration(packed_region);
  }
  Task* task = BeginImplicitTask(region);
  task->frame.exit_frame.ptr = frame;
  thread.state = ompt_state_work_parallel;
  region->function(region->argument);
  if (ToolEpoch() != epoch) return;  // the child of a fork in the region: it has another tool
  task->frame.exit_frame.ptr = nullptr;
  ArriveAtEnd(region);
  if (!is_primary) {
    thread.arrived_at = region;
    Publish(region);
  }
}

}  // namespace

void RunImplicitTask(void* packed_region) { Run(__builtin_frame_address(0), packed_region); }

void RunImplicitTaskIn(void* frame, void* packed_region) { Run(frame, packed_region); }

void EndParallel(Parallel* region) {
  Thread& thread = this_thread;
  Receive(region);
  FinishDeferred(ompt_sync_region_barrier_implicit_parallel, thread.current);
  EndGeneration(region);
  // A team of one thread leaves the pool unchanged.
  const unsigned size = region->team_size.load(std::memory_order_relaxed);
  if (size > 1) {
    if (UsesOwnPool(region->encountering_task))
      RememberPool(thread, size);
    else
      LeaveForeignPool(region->encountering_task, size - 1);
  }
  EndImplicitTask(thread);
  LeaveParallel(thread, region);
}

void LeaveParallel(Thread& thread, Parallel* region) {
  Task* task = region->encountering_task;
  thread.current = task;
  if (auto* callback = OMPT_CALLBACK(parallel_end))
    callback(&region->data, &task->data, region->flags, region->codeptr_ra);
  task->frame.enter_frame = ompt_data_none;
  thread.state = WorkState(task);
  FreeParallel(thread, region);
}

}  // namespace gomp_ompt
