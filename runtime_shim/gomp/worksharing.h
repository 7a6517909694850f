// Worksharing regions of the current task: their work and dispatch events, and the barrier at their end.
//
// A loop or sections region ends at a call of its own. The block of a single or scope ends without a call. So its work
// ends where the thread is seen next: at the barrier, at the next worksharing construct, or at the end of the implicit
// task. As in libomp, the work ends before the barrier begins, so a wait at the barrier is no part of the work.
#ifndef RUNTIME_SHIM_GOMP_WORKSHARING_H_
#define RUNTIME_SHIM_GOMP_WORKSHARING_H_

#include "runtime_shim/gomp/cancel.h"
#include "runtime_shim/gomp/enter.h"

namespace gomp_ompt {

// Reports the beginning of `work`, which is the task's work from now on. Work that is still open ends first.
void BeginWork(Task* task, const Work& work);

// The same, for a loop whose events nobody listens to. Its bounds are not kept, so the loop stays unheard to its end.
// The waits of a doacross loop are seen anyway: it has `dimensions`; another loop has 0.
inline void BeginUnheardLoop(Task* task, unsigned dimensions) {
  task->work.kind = static_cast<ompt_work_t>(0);
  if (dimensions != 0) task->work.dimensions = dimensions;
  task->barrier_closes_work = false;
  task->loops_begun++;
}

// Reports the end of the task's worksharing region, if the task is in such a region.
inline void EndWork(Task* task, const void* codeptr_ra) {
  if (task->work.kind == 0) return;
  const ompt_work_t kind = task->work.kind;
  task->work.kind = static_cast<ompt_work_t>(0);
  if (auto* callback = OMPT_CALLBACK(work))
    callback(kind, ompt_scope_end, &task->parallel->data, &task->data, task->work.count, codeptr_ra);
}

// A worksharing region with a count: `count` sections, or 1 for a single and a scope.
inline Work CountedWork(ompt_work_t kind, uint64_t count, const void* codeptr_ra) {
  Work work;
  work.kind = kind;
  work.count = count;
  work.codeptr_ra = codeptr_ra;
  return work;
}

// A loop from `start` that continues while it is before `end`. All values are taken modulo 2^64, so a loop over the
// whole range of its type is counted correctly.
Work LoopWork(bool up, uint64_t start, uint64_t end, uint64_t increment, const void* codeptr_ra);

// The same, for a loop variable of type long. The loop may have no iteration.
inline Work LongLoopWork(long start, long end, long increment, const void* codeptr_ra) {
  const bool up = increment > 0;
  return LoopWork(up, start, (up ? start < end : end < start) ? end : start, increment, codeptr_ra);
}

inline void Dispatch(Task* task, ompt_dispatch_t kind, ompt_data_t instance) {
  if (auto* callback = OMPT_CALLBACK(dispatch)) callback(&task->parallel->data, &task->data, kind, instance);
}

// A chunk of the task's loop that begins with the loop variable's value `first`. OMPT names the chunk by the logical
// number of its first iteration (OpenMP 5.1, 4.5.2.6). The chunk's other iterations are not seen.
inline void DispatchChunk(Task* task, uint64_t first) {
  const Work& work = task->work;
  if (OMPT_CALLBACK(dispatch) == nullptr || work.kind != ompt_work_loop) return;  // BeginUnheardLoop
  const uint64_t distance = work.down ? work.first - first : first - work.first;
  ompt_data_t instance;
  instance.value = distance;
  if (__builtin_expect(work.step != 1, false)) instance.value = distance / work.step;
  Dispatch(task, ompt_dispatch_iteration, instance);
}

// The kind of a GOMP_barrier call. gcc calls GOMP_barrier for `omp barrier`, and for the end of a single, a scope and a
// statically scheduled loop alike. Only single and scope were announced by a call. So the first barrier after a single
// or scope, without another worksharing call in between, is its implicit barrier. (Every thread of the team then says
// so.) Any other barrier is explicit.
struct BarrierKind {
  ompt_sync_region_t region;
  ompt_state_t state;
};

// Ends the work that the barrier closes.
inline BarrierKind AtBarrier(Task* task, const Caller& caller) {
  if (!task->barrier_closes_work) return {ompt_sync_region_barrier_explicit, ompt_state_wait_barrier_explicit};
  task->barrier_closes_work = false;
  EndWork(task, caller.codeptr_ra);
  return {ompt_sync_region_barrier_implicit_workshare, ompt_state_wait_barrier_implicit_workshare};
}

// The end of a worksharing region with its barrier, which `end` calls. Returns the result of `end`.
template <class End>
inline __attribute__((always_inline)) auto EndWithBarrier(const Caller& caller, End end) {
  InRuntime in_runtime(caller);
  EndWork(this_thread.current, caller.codeptr_ra);
  Synchronizing barrier(ompt_sync_region_barrier_implicit_workshare, ompt_state_wait_barrier_implicit_workshare,
                        caller);
  return end();
}

// The same, in a parallel region with a cancel construct: also a cancellation point of that region.
template <class End>
inline __attribute__((always_inline)) bool EndWithCancelBarrier(const Caller& caller, End end) {
  const bool is_cancelled = EndWithBarrier(caller, end);
  if (__builtin_expect(is_cancelled, false)) {
    InRuntime in_runtime(caller);
    ReportCancel(kCancelParallel, ompt_cancel_detected, caller);
  }
  return is_cancelled;
}

// The end of a worksharing region without a barrier.
template <class End>
inline __attribute__((always_inline)) void EndWithoutBarrier(const Caller& caller, End end) {
  InRuntime in_runtime(caller);
  EndWork(this_thread.current, caller.codeptr_ra);
  InState overhead(ompt_state_overhead);
  end();
}

}  // namespace gomp_ompt

#endif  // RUNTIME_SHIM_GOMP_WORKSHARING_H_
