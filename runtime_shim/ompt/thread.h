// The shim's record of the calling thread. The thread itself writes it, in the wrappers of gomp/. The entry points read
// it, and a tool may call these in a signal handler on this thread. So every field is set before the field that makes
// it valid.
#ifndef RUNTIME_SHIM_OMPT_THREAD_H_
#define RUNTIME_SHIM_OMPT_THREAD_H_

#include <omp-tools.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "runtime_shim/ompt/pool.h"
#include "runtime_shim/ompt/records.h"
#include "runtime_shim/ompt/tool_state.h"

namespace gomp_ompt {

// The workers that a runtime keeps for a thread: of the last region that the thread encountered outside of any. Where
// each library has its own runtime, a thread has several pools.
struct Pool {
  void (*parallel)();  // the runtime's GOMP_parallel; NULL: none yet
  unsigned team_size;
};
inline constexpr unsigned kMostPools = 4;

// In cache lines of its own. Otherwise, libgomp's primary thread would write beside it in a worker's thread-local
// storage, for each region.
struct alignas(64) Thread {
  ompt_thread_t kind;       // 0: libgomp has never run on this thread, as far as we saw
  volatile uint32_t epoch;  // of the tool (tool_state.h) that was told of this thread; 0 as long as `kind` is
  volatile ompt_state_t state;
  volatile ompt_wait_id_t wait_id;
  ompt_data_t data;        // the tool's
  Task* volatile current;  // NULL: not in any task
  // A worker at the end of its implicit task. libgomp does not say when it leaves the barrier: the region's generation
  // does, to a reader, and the tool is told when the thread is next needed (OpenMP 5.1, 2.19.5.4 and 4.5.2.13 allow
  // that for this barrier).
  Parallel* volatile arrived_at;
  uint32_t arrived_generation;  // as far as kGenerationMask goes
  // libgomp has bound this thread to a place, if there are places. A thread without this mark must not be asked for its
  // place, because libgomp would bind the thread then.
  bool has_place;
  bool has_run_region;  // as a member of its team
  Pool pools[kMostPools];
  // Records that stay with the thread, one for each depth of tasks within tasks: those that are not in use.
  Task* nested;
  FreeList<Task> tasks;
  FreeList<Parallel> regions;
  FreeList<Target> targets;
};

// Initial-exec: a plain segment-relative access, in a handler too. __thread and not thread_local, which would ask at
// each access whether a constructor has run.
extern __thread Thread this_thread __attribute__((tls_model("initial-exec")));

// Called once, before any thread is made known: the ends of threads will be seen.
void WatchThreadExits();

// Makes the calling thread known: an initial task and thread_begin for a thread that comes from the program,
// thread_begin alone for a worker of libgomp. The ends are reported when the thread ends.
void BeginThread(Thread& thread, ompt_thread_t kind);

// Reports the ends of the current task, which is an implicit one that has arrived at its region's end: the wait, the
// barrier, the task. Afterwards there is no current task.
void EndImplicitTask(Thread& thread);

// Reports what a worker has left open at the end of its last region: the wait, the barrier, the implicit task. No-op
// otherwise.
void FinishLastRegion(Thread& thread);

// Reports the end of the calling thread, if the tool knows it: its open region, its initial task, thread_end. At the
// thread's end and at finalization, where a wrapper further up may still work with the thread's records: they stay.
void ReportThreadEnd(Thread& thread);

// The active tool knows this thread. Async-signal-safe.
inline bool IsKnown(const Thread& thread) { return thread.kind != 0 && thread.epoch == ToolEpoch() && HasTool(); }

// Forgets this thread: if it comes again, it is new to the tool.
inline void ForgetThread(Thread& thread) {
  thread.epoch = 0;
  thread.kind = static_cast<ompt_thread_t>(0);
}

// The region that `arrived_at` names has ended: the thread is idle.
inline bool IsIdle(const Thread& thread) {
  const Parallel* region = thread.arrived_at;
  return region != nullptr &&
         (region->generation.load(std::memory_order_acquire) & kGenerationMask) != thread.arrived_generation;
}

// `task` is in a parallel region.
inline bool IsInTeam(const Task* task) { return (task->parallel->flags & static_cast<int>(ompt_parallel_team)) != 0; }

// For a task that is in none: the region around the initial task whose team, if there is one, libgomp has for it. A
// league's teams have none of their own.
inline Parallel* OutermostRegion(const Task* task) {
  Parallel* region = task->parallel;
  while ((region->flags & static_cast<int>(ompt_parallel_league)) != 0) region = region->encountering_task->parallel;
  return region;
}

// libgomp may defer the tasks that `task` creates: in a parallel region, and outside after a construct that needs a
// team.
inline bool MayDeferTasks(const Task* task) {
  return IsInTeam(task) || (OutermostRegion(task)->flags & kHasImplicitTeam) != 0;
}

// Such a construct.
inline void NeedTeam(const Task* task) {
  if (!IsInTeam(task)) OutermostRegion(task)->flags |= kHasImplicitTeam;
}

// The state of a thread while it runs the code of `task`.
inline ompt_state_t WorkState(const Task* task) { return task->parallel->work_state; }

// Records with every field cleared, but for a region's `generation`, which says that it runs. They end the process with
// a sentence when there is no memory, as libgomp does.
Task* NewTask(Thread& thread);
Parallel* NewParallel(Thread& thread);
Target* NewTarget(Thread& thread);
inline void FreeTask(Thread& thread, Task* task) { thread.tasks.Give(task); }
inline void FreeParallel(Thread& thread, Parallel* region) { thread.regions.Give(region); }
void FreeTarget(Thread& thread, Target* target);

// A region has ended: from here on the other threads of its team are idle. Its encountering thread alone writes the
// generation, so no atomic addition is needed, which would wait until the team's threads have given up the cache line.
inline void EndGeneration(Parallel* region) {
  region->generation.store(region->generation.load(std::memory_order_relaxed) + 1, std::memory_order_release);
}

// NewTask and NewParallel with unspecified contents, for callers that set every valid field. A region takes a fraction
// of a microsecond, and clearing 400 bytes took a tenth of that.
[[noreturn]] void OutOfMemory();
inline Task* TakeTask(Thread& thread) {
  Task* task = thread.tasks.Take();
  if (__builtin_expect(task == nullptr, false)) OutOfMemory();
  return task;
}

// A record for a task that begins and ends on this thread, within the current task. Abandoned tasks need no GiveNested.
Task* AddNested(Thread& thread);
inline Task* TakeNested(Thread& thread) {
  Task* task = thread.nested;
  if (__builtin_expect(task == nullptr, false)) return AddNested(thread);
  thread.nested = task->next;
  return task;
}
inline void GiveNested(Thread& thread, Task* task) {
  task->next = thread.nested;
  thread.nested = task;
}

inline Parallel* TakeParallel(Thread& thread) {
  Parallel* region = thread.regions.Take();
  if (__builtin_expect(region == nullptr, false)) OutOfMemory();
  region->generation.store(region->generation.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  return region;
}

// Clears what a task has from its beginning, whatever its kind. Left over are the region and the ancestor, flags and
// thread number, `codeptr_ra`, and the function with its argument.
inline void ClearTask(Task* task) {
  task->data = ompt_data_none;
  task->frame.exit_frame = task->frame.enter_frame = ompt_data_none;
  task->frame.exit_frame_flags = task->frame.enter_frame_flags = ompt_frame_runtime | ompt_frame_framepointer;
  // A cache line but for the link, in four stores.
  constexpr size_t kBegin = offsetof(Task, argument_is_apart);
  memset(reinterpret_cast<char*>(task) + kBegin, 0, offsetof(Task, next) - kBegin);
  task->work.kind = static_cast<ompt_work_t>(0);
}

}  // namespace gomp_ompt

#endif  // RUNTIME_SHIM_OMPT_THREAD_H_
