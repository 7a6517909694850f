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

// The workers that a runtime keeps for a thread, from the last region that the thread encountered outside all regions.
// What a waiting thread waits for, where the state does not say it: for generations of OMPT that have a state of its
// own for this.
enum class WaitDetail : uint8_t { kNone, kNestLock, kSingle };

// In cache lines of its own. Otherwise libgomp's primary thread would write, for each region, beside this object in a
// worker's thread-local storage.
struct alignas(64) Thread {
  ompt_thread_t kind;       // 0: libgomp has never run on this thread, as far as the shim saw
  volatile uint32_t epoch;  // epoch of the tool (tool_state.h) that heard of this thread; 0 while `kind` is 0
  volatile ompt_state_t state;
  volatile ompt_wait_id_t wait_id;
  ompt_data_t data;        // the tool's
  Task* volatile current;  // NULL: the thread is in no task
  // The region of a worker at the end of its implicit task. libgomp does not say when the worker leaves the barrier. A
  // reader learns this from the region's generation, and the tool learns it when the thread is next needed. OpenMP 5.1,
  // 2.19.5.4 and 4.5.2.13, allows this for this barrier.
  Parallel* volatile arrived_at;
  // The id of the target operation that the thread has under way, in the memory of the wrapper; NULL: none.
  const ompt_id_t* volatile operation;
  uint32_t arrived_generation;  // its low bits (kGenerationMask)
  // libgomp has bound this thread to a place, if there are places. A thread without this mark must not be asked for its
  // place, because libgomp would bind the thread then.
  bool has_place;
  bool has_run_region;  // as a member of its team
  volatile WaitDetail wait_detail;
  // Of a worker: an address in the frame of libgomp in which the thread awaits its next region. NULL for other threads.
  void* volatile idle_frame;
  unsigned pool_size;  // threads of its last team, itself included; 0: it has had none
  // Records that stay with the thread, one for each depth of tasks within tasks. This list has the unused ones.
  Task* nested;
  FreeList<Task> tasks;
  FreeList<Parallel> regions;
  FreeList<Target> targets;
};

// Initial-exec: a plain segment-relative access, also in a handler. __thread and not thread_local: thread_local would
// check at each access whether a constructor has run.
extern __thread Thread this_thread __attribute__((tls_model("initial-exec")));

// Called once, before any thread is made known. From then on, the ends of threads are seen.
void WatchThreadExits();

// Makes the calling thread known. A thread that comes from the program gets an initial task and thread_begin; a worker
// of libgomp gets thread_begin only. The ends are reported when the thread ends.
void BeginThread(Thread& thread, ompt_thread_t kind);

// The current task is an implicit task that has arrived at its region's end. Reports the ends of the wait, the barrier
// and the task. Afterwards, there is no current task.
void EndImplicitTask(Thread& thread);

// Reports the ends that a worker has left open at the end of its last region: the wait, the barrier, the implicit task.
// No-op otherwise.
void FinishLastRegion(Thread& thread);

// Reports the end of the calling thread, if the tool knows it: its open region, its initial task, thread_end. Called at
// the thread's end and at finalization. Then a wrapper further up may still work with the thread's records, so they
// stay.
void ReportThreadEnd(Thread& thread);

// task_dependence.h
void ForgetDependences(Task* task);

// `count` of libgomp's workers are about to end: workers of a nested team, of a pool that shrinks, or of a pool whose
// primary thread has gone. Called by their primary thread.
void ExpectEnds(unsigned count);

// Called at the end of the process. Waits until the expected workers have reported their ends, and not for longer than
// any thread needs for that. Returns at once if there are none.
void AwaitExpectedEnds();

// Called in the child of a fork: the parent's workers are not here.
void ForgetExpectedEnds();

// Whether the active tool knows this thread. Async-signal-safe.
inline bool IsKnown(const Thread& thread) { return thread.kind != 0 && thread.epoch == ToolEpoch() && HasTool(); }

// Forgets this thread. If it comes again, it is new to the tool.
inline void ForgetThread(Thread& thread) {
  thread.epoch = 0;
  thread.kind = static_cast<ompt_thread_t>(0);
}

// Whether the thread executes code outside all regions, or code that OpenMP does not know.
inline bool IsOutsideRegions(const Thread& thread) {
  const Task* task = thread.current;
  return !IsKnown(thread) ||
         (task != nullptr && task->flags == ompt_task_initial && task->scheduling_parent == nullptr);
}

// Whether the region that `arrived_at` names has ended: the thread is then idle.
inline bool IsIdle(const Thread& thread) {
  const Parallel* region = thread.arrived_at;
  return region != nullptr &&
         (region->generation.load(std::memory_order_acquire) & kGenerationMask) != thread.arrived_generation;
}

// Whether `task` is in a parallel region.
inline bool IsInTeam(const Task* task) { return (task->parallel->flags & static_cast<int>(ompt_parallel_team)) != 0; }

// For a task outside all parallel regions: the region around the initial task. If libgomp has a team there, it belongs
// to this initial task. A league's teams have no such team of their own.
inline Parallel* OutermostRegion(const Task* task) {
  Parallel* region = task->parallel;
  while ((region->flags & static_cast<int>(ompt_parallel_league)) != 0) region = region->encountering_task->parallel;
  return region;
}

// Whether libgomp may defer the tasks that `task` creates. It may in a parallel region, and outside after a construct
// that needs a team.
inline bool MayDeferTasks(const Task* task) {
  return IsInTeam(task) || (OutermostRegion(task)->flags & kHasImplicitTeam) != 0;
}

// Called by a construct that needs a team.
inline void NeedTeam(const Task* task) {
  if (!IsInTeam(task)) OutermostRegion(task)->flags |= kHasImplicitTeam;
}

// The innermost target region of the task, or of a task that it is part of; NULL if there is none.
__attribute__((no_sanitize("thread"))) inline Target* EnclosingTarget(const Task* task) {
  while (task != nullptr && task->target == nullptr) task = task->scheduling_parent;
  return task != nullptr ? task->target : nullptr;
}

// Until the end of the scope, the thread has this target operation under way.
class InOperation {
 public:
  explicit InOperation(Thread& thread, const ompt_id_t* id) : thread_(thread), outer_(thread.operation) {
    thread.operation = id;
  }
  ~InOperation() { thread_.operation = outer_; }
  InOperation(const InOperation&) = delete;

 private:
  Thread& thread_;
  const ompt_id_t* const outer_;
};

// The state of a thread while it runs the code of `task`.
inline ompt_state_t WorkState(const Task* task) { return task->parallel->work_state; }

// Records with every field cleared. The exception is a region's `generation`, which says that the region runs. Without
// memory, these functions end the process with a sentence, as libgomp does.
Task* NewTask(Thread& thread);
Parallel* NewParallel(Thread& thread);
Target* NewTarget(Thread& thread);
inline void FreeTask(Thread& thread, Task* task) {
  if (__builtin_expect(task->dependence_roles != 0, false)) ForgetDependences(task);
  thread.tasks.Give(task);
}
inline void FreeParallel(Thread& thread, Parallel* region) { thread.regions.Give(region); }
void FreeTarget(Thread& thread, Target* target);

// A region has ended: from here on, the other threads of its team are idle. Only its encountering thread writes the
// generation. So no atomic addition is necessary, which would wait until the team's threads have given up the cache
// line.
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
  if (__builtin_expect(task->dependence_roles != 0, false)) ForgetDependences(task);
  task->next = thread.nested;
  thread.nested = task;
}

inline Parallel* TakeParallel(Thread& thread) {
  Parallel* region = thread.regions.Take();
  if (__builtin_expect(region == nullptr, false)) OutOfMemory();
  region->generation.store(region->generation.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  return region;
}

// Clears the fields that every task clears at its beginning. Not cleared: the region and the ancestor, flags and thread
// number, `codeptr_ra`, and the function with its argument.
inline void ClearTask(Task* task) {
  task->data = ompt_data_none;
  task->frame.exit_frame = task->frame.enter_frame = ompt_data_none;
  task->frame.exit_frame_flags = task->frame.enter_frame_flags = ompt_frame_runtime | ompt_frame_framepointer;
  // A cache line except for the link, in four stores.
  constexpr size_t kBegin = offsetof(Task, argument_is_apart);
  memset(reinterpret_cast<char*>(task) + kBegin, 0, offsetof(Task, next) - kBegin);
  task->work.kind = static_cast<ompt_work_t>(0);
}

}  // namespace gomp_ompt

#endif  // RUNTIME_SHIM_OMPT_THREAD_H_
