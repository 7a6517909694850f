// parallel and its combined forms, as gcc called them before 4.9, and as programs of other compilers may still do. The
// encountering thread returns from the call that starts the team, calls the outlined function itself, and ends the
// region by another call.
//
// So on that thread, no frame of the runtime lies between the program's frames. The implicit task's exit frame and the
// encountering task's enter frame are the same place: the end of the user's stack at the call. They belong to the
// application.
#include <atomic>

#include "runtime_shim/gomp/real.h"
#include "runtime_shim/gomp/region.h"
#include "runtime_shim/gomp/worksharing.h"

namespace gomp_ompt {
namespace {

using Outlined = void(void*);

constexpr int kInvokedByProgram = ompt_parallel_invoker_program | static_cast<int>(ompt_parallel_team);
DECLARE_REAL(GOMP_parallel_start, void(Outlined*, void*, unsigned));
DECLARE_REAL(GOMP_parallel_end, void());
DECLARE_REAL(GOMP_parallel_sections_start, void(Outlined*, void*, unsigned, unsigned));

// Starts the team by `start`, and makes the calling thread its primary thread. The program continues at `user_frame`.
template <class Start>
inline __attribute__((always_inline)) void StartTeam(Outlined* function, void* argument, unsigned num_threads,
                                                     const Work* work, const Caller& caller, void* user_frame,
                                                     Start start) {
  Parallel* region = BeginParallel(function, argument, num_threads, kInvokedByProgram, caller, work);
  start(region);
  Task* task = BeginImplicitTask(region);
  Task* encountering_task = region->encountering_task;
  SetFrame(encountering_task->frame.enter_frame, encountering_task->frame.enter_frame_flags, user_frame,
           kFrameOfProgram);
  SetFrame(task->frame.exit_frame, task->frame.exit_frame_flags, user_frame, kFrameOfProgram);
  this_thread.state = ompt_state_work_parallel;
}

}  // namespace

// Regions that the loop and sections forms start end here too.
EXPORTED void GOMP_parallel_end() {
  if (!Tracing()) return REAL(GOMP_parallel_end)();
  const Caller caller = CALLER();
  Task* task = this_thread.current;
  Parallel* region = task->parallel;
  if ((task->flags & ompt_task_implicit) == 0) return REAL(GOMP_parallel_end)();  // began before the tool came
  Task* encountering_task = region->encountering_task;
  const uint32_t epoch = ToolEpoch();
  // In this order: the new frame lies below the region's exit frame, where a handler would take it for the frame of a
  // task within the region.
  task->frame.exit_frame = ompt_data_none;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  SetFrame(encountering_task->frame.enter_frame, encountering_task->frame.enter_frame_flags, caller.frame,
           kFrameOfRuntime);
  ArriveAtEnd(region);
  REAL(GOMP_parallel_end)();
  if (ToolEpoch() == epoch) EndParallel(region);
}

EXPORTED void GOMP_parallel_start(Outlined* function, void* argument, unsigned num_threads) {
  if (!Tracing()) return REAL(GOMP_parallel_start)(function, argument, num_threads);
  StartTeam(function, argument, num_threads, nullptr, CALLER(), USER_FRAME(), [&](Parallel* region) {
    REAL(GOMP_parallel_start)(RunImplicitTask, PackRegion(region), num_threads);
  });
}

EXPORTED void GOMP_parallel_sections_start(Outlined* function, void* argument, unsigned num_threads, unsigned count) {
  if (!Tracing()) return REAL(GOMP_parallel_sections_start)(function, argument, num_threads, count);
  const Caller caller = CALLER();
  const Work work = CountedWork(ompt_work_sections, count, caller.codeptr_ra);
  StartTeam(function, argument, num_threads, &work, caller, USER_FRAME(), [&](Parallel* region) {
    REAL(GOMP_parallel_sections_start)(RunImplicitTask, PackRegion(region), num_threads, count);
  });
}

#define PARALLEL_LOOP_START(name)                                                                                    \
  DECLARE_REAL(name, void(Outlined*, void*, unsigned, long, long, long, long));                                      \
  EXPORTED void name(Outlined* function, void* argument, unsigned num_threads, long start, long end, long increment, \
                     long chunk) {                                                                                   \
    if (!Tracing()) return REAL(name)(function, argument, num_threads, start, end, increment, chunk);                \
    const Caller caller = CALLER();                                                                                  \
    const Work work = LongLoopWork(start, end, increment, caller.codeptr_ra);                                        \
    StartTeam(function, argument, num_threads, &work, caller, USER_FRAME(), [&](Parallel* region) {                  \
      REAL(name)(RunImplicitTask, PackRegion(region), num_threads, start, end, increment, chunk);                    \
    });                                                                                                              \
  }

PARALLEL_LOOP_START(GOMP_parallel_loop_static_start)
PARALLEL_LOOP_START(GOMP_parallel_loop_dynamic_start)
PARALLEL_LOOP_START(GOMP_parallel_loop_guided_start)

DECLARE_REAL(GOMP_parallel_loop_runtime_start, void(Outlined*, void*, unsigned, long, long, long));

EXPORTED void GOMP_parallel_loop_runtime_start(Outlined* function, void* argument, unsigned num_threads, long start,
                                               long end, long increment) {
  if (!Tracing()) return REAL(GOMP_parallel_loop_runtime_start)(function, argument, num_threads, start, end, increment);
  const Caller caller = CALLER();
  const Work work = LongLoopWork(start, end, increment, caller.codeptr_ra);
  StartTeam(function, argument, num_threads, &work, caller, USER_FRAME(), [&](Parallel* region) {
    REAL(GOMP_parallel_loop_runtime_start)(RunImplicitTask, PackRegion(region), num_threads, start, end, increment);
  });
}

}  // namespace gomp_ompt
