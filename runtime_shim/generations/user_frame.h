// Finds the user's frame that called the shim, by the call frame information of the user's code (.eh_frame; DWARF 4,
// section 6.4). Only this frame is looked at: there is no walk.
#ifndef RUNTIME_SHIM_GENERATIONS_USER_FRAME_H_
#define RUNTIME_SHIM_GENERATIONS_USER_FRAME_H_

namespace gomp_ompt {

// `frame_pointer`: of a frame of the shim, whose caller is the user's code; on another thread's stack unless
// `is_of_own_stack`. The canonical frame address of that caller, also if it was compiled without frame pointers. NULL
// for code without call frame information, for information of an unusual form, and with a glibc before 2.35, where the
// search would take a lock. Async-signal-safe. The time is bounded: a binary search, and the instructions of one
// description.
char* CallersCfa(const void* frame_pointer, bool is_of_own_stack);

}  // namespace gomp_ompt

#endif  // RUNTIME_SHIM_GENERATIONS_USER_FRAME_H_
