#include "runtime_shim/ompt/thread.h"

#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "runtime_shim/ompt/callbacks.h"
#include "runtime_shim/ompt/places.h"
#include "runtime_shim/ompt/runtime_queries.h"

namespace gomp_ompt {

__thread Thread this_thread;

namespace {

// The destructor of this key runs at a thread's end, after the destructors of thread_local objects. It does not run in
// exit(), because this thread still does the program's work in its exit handlers.
pthread_key_t exit_key;
bool has_exit_key = false;

// Workers that will end soon without a call that the shim sees, less those that have ended. A worker often ends before
// its primary thread announces the end: then the number is below zero for a moment.
std::atomic<int> expected_ends{0};

// exit() does not wait for longer than this, nor after this time in which no worker has ended.
constexpr time_t kPatienceSeconds = 1;
constexpr long kQuietNs = 100000000;

void WorkerHasEnded() {
  if (expected_ends.fetch_sub(1) == 1)
    syscall(SYS_futex, &expected_ends, FUTEX_WAKE_PRIVATE, INT32_MAX, nullptr, nullptr, 0);
}

void AtThreadExit(void* argument) {
  auto& thread = *static_cast<Thread*>(argument);
  Task* task = thread.current;
  const bool is_known = IsKnown(thread);
  const bool is_worker = thread.kind == ompt_thread_worker;
  if (is_known && !is_worker) {
    // libgomp ends the workers of a thread with the thread.
    if (thread.pool_size > 1) ExpectEnds(thread.pool_size - 1);
  }
  if (is_known) {
    ReportThreadEnd(thread);
    if (is_worker) WorkerHasEnded();
    // Records of another tool's time stay. So do records that a region further up still uses, which exit() or
    // pthread_exit() left.
    if (task != nullptr && task->flags == ompt_task_initial && task->scheduling_parent == nullptr) {
      thread.current = nullptr;
      FreeParallel(thread, task->parallel);
      FreeTask(thread, task);
    }
  }
  ForgetThread(thread);
  thread.current = nullptr;
  while (thread.nested != nullptr) FreeTask(thread, TakeNested(thread));
  thread.tasks.GiveAll();
  thread.regions.GiveAll();
  thread.targets.GiveAll();
}

}  // namespace

void WatchThreadExits() { has_exit_key = pthread_key_create(&exit_key, AtThreadExit) == 0; }

void ExpectEnds(unsigned count) { expected_ends.fetch_add(static_cast<int>(count)); }

void AwaitExpectedEnds() {
  timespec end;
  clock_gettime(CLOCK_MONOTONIC, &end);
  end.tv_sec += kPatienceSeconds;
  for (int expected = expected_ends.load(); expected > 0;) {
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (now.tv_sec > end.tv_sec || (now.tv_sec == end.tv_sec && now.tv_nsec >= end.tv_nsec)) return;
    const timespec wait = {0, kQuietNs};
    const bool timed_out =
        syscall(SYS_futex, &expected_ends, FUTEX_WAIT_PRIVATE, expected, &wait, nullptr, 0) != 0 && errno == ETIMEDOUT;
    const int left = expected_ends.load();
    if (timed_out && left == expected) return;
    expected = left;
  }
}

void ForgetExpectedEnds() { expected_ends.store(0); }

void OutOfMemory() {
  static const char kText[] = "libgomp_ompt: out of memory\n";
  if (write(STDERR_FILENO, kText, sizeof(kText) - 1) < 0) {
  }
  exit(1);
}

Task* AddNested(Thread& thread) { return TakeTask(thread); }

Task* NewTask(Thread& thread) {
  Task* task = TakeTask(thread);
  ClearTask(task);
  task->scheduling_parent = nullptr;
  task->parallel = nullptr;
  task->flags = 0;
  task->thread_num = 0;
  task->codeptr_ra = nullptr;
  task->function = nullptr;
  task->argument = nullptr;
  return task;
}

Parallel* NewParallel(Thread& thread) {
  Parallel* region = TakeParallel(thread);
  region->team_size.store(0, std::memory_order_relaxed);
  region->encountering_task = nullptr;
  region->primary = nullptr;
  region->function = nullptr;
  region->argument = nullptr;
  region->codeptr_ra = nullptr;
  region->flags = 0;
  region->work_state = ompt_state_work_serial;
  region->begins_work = false;
  region->data = ompt_data_none;
  return region;
}

Target* NewTarget(Thread& thread) {
  Target* target = thread.targets.Take();
  if (target == nullptr) OutOfMemory();
  const uint32_t tag = target->tag;
  memset(static_cast<void*>(target), 0, sizeof(*target));
  target->tag = tag;
  return target;
}

void FreeTarget(Thread& thread, Target* target) { thread.targets.Give(target); }

void BeginThread(Thread& thread, ompt_thread_t kind) {
  tool_mode.load(std::memory_order_acquire);  // acquire: data prepared for the tool is seen from here on
  const bool first_time = thread.kind == 0;
  thread.data = ompt_data_none;
  thread.wait_id = 0;
  thread.wait_detail = WaitDetail::kNone;
  thread.idle_frame = nullptr;
  thread.arrived_at = nullptr;
  thread.current = nullptr;
  thread.state = ompt_state_overhead;
  thread.has_place = kind == ompt_thread_worker || IsBoundToFirstPlace();
  thread.kind = kind;
  std::atomic_signal_fence(std::memory_order_release);
  thread.epoch = ToolEpoch();  // from here on, a handler sees it
  if (first_time && has_exit_key) pthread_setspecific(exit_key, &thread);
  if (auto* callback = OMPT_CALLBACK(thread_begin)) callback(kind, &thread.data);
  if (kind == ompt_thread_worker) return;
  Parallel* region = NewParallel(thread);
  region->primary = &thread;
  region->team_size.store(1, std::memory_order_relaxed);
  Task* task = NewTask(thread);
  task->parallel = region;
  task->flags = ompt_task_initial;
  std::atomic_signal_fence(std::memory_order_release);
  thread.current = task;
  if (auto* callback = OMPT_CALLBACK(implicit_task))
    callback(ompt_scope_begin, &region->data, &task->data, 1, 1, ompt_task_initial);
  thread.state = ompt_state_work_serial;
}

void EndImplicitTask(Thread& thread) {
  Task* task = thread.current;
  // The records of the region and of its encountering task may serve others by now. In the spec, parallel_data is NULL
  // at the end of an implicit task and of the barrier before it, and actual_parallelism is 0 (OpenMP 5.1, 4.5.2.11).
  task->parallel = nullptr;
  task->scheduling_parent = nullptr;
  thread.state = ompt_state_overhead;
  if (auto* callback = OMPT_CALLBACK_AS(sync_region_wait, ompt_callback_sync_region_t))
    callback(ompt_sync_region_barrier_implicit_parallel, ompt_scope_end, nullptr, &task->data, task->codeptr_ra);
  if (auto* callback = OMPT_CALLBACK_AS(sync_region, ompt_callback_sync_region_t))
    callback(ompt_sync_region_barrier_implicit_parallel, ompt_scope_end, nullptr, &task->data, task->codeptr_ra);
  if (auto* callback = OMPT_CALLBACK(implicit_task))
    callback(ompt_scope_end, nullptr, &task->data, 0, static_cast<unsigned>(task->thread_num), ompt_task_implicit);
  thread.current = nullptr;
  FreeTask(thread, task);
}

void FinishLastRegion(Thread& thread) {
  if (thread.arrived_at == nullptr) return;
  Task* task = thread.current;
  if (task == nullptr || (task->flags & ompt_task_implicit) == 0) return;  // in a task at the barrier: not over yet
  task->parallel = nullptr;
  task->scheduling_parent = nullptr;
  thread.state = ompt_state_overhead;
  thread.arrived_at = nullptr;
  EndImplicitTask(thread);
}

void ReportThreadEnd(Thread& thread) {
  if (!IsKnown(thread)) return;
  FinishLastRegion(thread);
  Task* task = thread.current;
  thread.state = ompt_state_overhead;
  if (task != nullptr && task->flags == ompt_task_initial && task->scheduling_parent == nullptr) {
    if (auto* end_targets = runtime_queries.end_targets.load(std::memory_order_relaxed)) end_targets(thread);
    // A single outside all regions, without a barrier: no later event has ended it.
    if (task->work.kind != 0) {
      if (auto* callback = OMPT_CALLBACK(work))
        callback(task->work.kind, ompt_scope_end, &task->parallel->data, &task->data, task->work.count,
                 task->work.codeptr_ra);
      task->work.kind = static_cast<ompt_work_t>(0);
    }
    // OpenMP 5.1, 4.5.2.11: at the end, parallel_data is NULL and actual_parallelism is 0. libomp passes the initial
    // region's data, and tools that were written for it (Archer 14, ompt-multiplex.h) follow the pointer.
    if (auto* callback = OMPT_CALLBACK(implicit_task))
      callback(ompt_scope_end, &task->parallel->data, &task->data, 0, 1, ompt_task_initial);
  }
  if (auto* callback = OMPT_CALLBACK(thread_end)) callback(&thread.data);
  thread.state = ompt_state_undefined;
}

}  // namespace gomp_ompt
