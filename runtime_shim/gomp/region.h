// A parallel region from the encountering thread's side, and the trampoline that every thread of the team runs. It
// serves every construct that makes a team: parallel and its combined forms (parallel.cc), teams (teams.cc).
#ifndef RUNTIME_SHIM_GOMP_REGION_H_
#define RUNTIME_SHIM_GOMP_REGION_H_

#include "runtime_shim/gomp/enter.h"

namespace gomp_ompt {

// Reports parallel_begin and makes the record that RunImplicitTask takes. The current task is in the runtime from here
// on.
// `work` is what every thread of a combined construct begins with its implicit task, NULL if there is none.
Parallel* BeginParallel(void (*function)(void*), void* argument, unsigned num_threads, int flags, const Caller& caller,
                        const Work* work = nullptr);

// Called when the runtime has returned. Ends the primary thread's implicit task, reports parallel_end, frees the
// record.
void EndParallel(Parallel* region);

// The second half of EndParallel, if the implicit task has been ended otherwise: parallel_end, and the encountering
// task goes on.
void LeaveParallel(Thread& thread, Parallel* region);

// To be passed to libgomp in place of the outlined function, with PackRegion of the record in place of its argument.
void RunImplicitTask(void* packed_region);

// The two ends of an implicit task, for the constructs whose primary thread returns to the user in between
// (GOMP_parallel_start).
Task* BeginImplicitTask(Parallel* region);
void ArriveAtEnd(Parallel* region);

// For the constructs whose region goes on in the frame that called the runtime, not in an outlined function: no frame
// of the runtime lies between the two tasks' frames, which meet where the user's stack ended at the call.
inline constexpr int kFrameOfRuntime = ompt_frame_runtime | ompt_frame_framepointer;
inline constexpr int kFrameOfProgram = ompt_frame_application | ompt_frame_cfa;

// That place; only in the wrapper itself.
#define USER_FRAME() __builtin_dwarf_cfa()

// Sets a frame of a task and the flags that go with it.
inline void SetFrame(ompt_data_t& frame, int& flags, void* address, int address_flags) {
  // A handler between the stores sees no frame rather than one with the other's flags.
  frame.ptr = nullptr;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  flags = address_flags;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  frame.ptr = address;
}

}  // namespace gomp_ompt

#endif  // RUNTIME_SHIM_GOMP_REGION_H_
