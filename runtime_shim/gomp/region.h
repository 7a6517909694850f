// A parallel region from the encountering thread's side, and the trampoline that every thread of the team runs. It
// serves all constructs that make a team: parallel and its combined forms (parallel.cc), teams (teams.cc).
#ifndef RUNTIME_SHIM_GOMP_REGION_H_
#define RUNTIME_SHIM_GOMP_REGION_H_

#include "runtime_shim/gomp/enter.h"

namespace gomp_ompt {

// Reports parallel_begin, and makes the record for RunImplicitTask. From here on, the current task is in the runtime.
// `work` is the construct that every thread of a combined construct begins with its implicit task; NULL if there is
// none.
Parallel* BeginParallel(void (*function)(void*), void* argument, unsigned num_threads, int flags, const Caller& caller,
                        const Work* work = nullptr);

// Called when the runtime has returned. Ends the primary thread's implicit task, reports parallel_end, and frees the
// record.
void EndParallel(Parallel* region);

// The second half of EndParallel, for an implicit task that has ended otherwise: parallel_end, and the encountering
// task continues.
void LeaveParallel(Thread& thread, Parallel* region);

// Passed to libgomp instead of the outlined function. The record in PackRegion's form replaces its argument.
void RunImplicitTask(void* packed_region);

// The same, for a trampoline of another form. `frame` is the trampoline's.
void RunImplicitTaskIn(void* frame, void* packed_region);

// The two ends of an implicit task, for constructs whose primary thread returns to the user in between
// (GOMP_parallel_start).
Task* BeginImplicitTask(Parallel* region);
void ArriveAtEnd(Parallel* region);

// For constructs whose region continues in the frame that called the runtime, not in an outlined function. No frame of
// the runtime lies between the frames of the two tasks. These frames meet at the end of the user's stack at the call.
inline constexpr int kFrameOfRuntime = ompt_frame_runtime | ompt_frame_framepointer;
inline constexpr int kFrameOfProgram = ompt_frame_application | ompt_frame_cfa;

// That place. To be used only in the wrapper itself.
#define USER_FRAME() __builtin_dwarf_cfa()

// Sets a frame of a task, and the frame's flags.
inline void SetFrame(ompt_data_t& frame, int& flags, void* address, int address_flags) {
  // Between the stores, a handler sees no frame rather than a frame with another frame's flags.
  frame.ptr = nullptr;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  flags = address_flags;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  frame.ptr = address;
}

}  // namespace gomp_ompt

#endif  // RUNTIME_SHIM_GOMP_REGION_H_
