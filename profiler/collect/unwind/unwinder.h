// The interface of the engines (cfi, fp, libunwind), which walk a thread's machine stack from a signal handler. The
// sampling handler calls start and walk for each sample. OMPT callbacks call them to find the place that creates a
// parallel region or a task.
#ifndef OMPPROF_PROFILER_COLLECT_UNWIND_UNWINDER_H_
#define OMPPROF_PROFILER_COLLECT_UNWIND_UNWINDER_H_

#include <stddef.h>
#include <stdint.h>
#include <ucontext.h>

#include "profiler/collect/arch/registers.h"
#include "profiler/collect/base/fuel.h"
#include "profiler/collect/unwind/readable_pages.h"

namespace ompprof::collect {

// One machine frame. Frame k of a walk (leaf first) occupies the stack addresses [frame[k-1].cfa, frame[k].cfa). The
// leaf frame begins at the interrupted stack pointer.
struct Frame {
  uintptr_t pc;         // instruction address
  uintptr_t cfa;        // canonical frame address: the stack pointer's value before the call that made the frame
  bool return_address;  // pc is the place to which a call will return (look up pc - 1), not an interrupted instruction
};

// The stack addresses that belong to a thread: [low, high). Reads inside are plain loads from pages that are proved
// readable. Reads anywhere else (alternate signal stacks, coroutines, damaged frames) are fault-safe.
struct StackBounds {
  uintptr_t low;
  uintptr_t high;
};

enum class WalkEnd : uint8_t {
  kRoot,    // the walk reached the outermost frame (its return address is undefined or zero)
  kLimit,   // `max` frames were written: call Walk again to continue
  kBroken,  // a frame has no rule, or its memory cannot be read, or the walk made no progress
  kNoFuel,  // the sample's fuel is spent: the cursor is behind the last written frame
};

// The position of a walk. Plain data, copied freely. The walk can continue from it.
struct Cursor {
  arch::FrameRegisters at;
  const ucontext_t* start;  // the walk's start, for engines that must begin again with all registers; NULL: unknown
  uint32_t frames_done;     // frames written since the start
  Fuel* fuel = nullptr;     // the walk's fuel, set by the caller; NULL: only `max` bounds the walk
  // The pages that the sample knows to be readable. A walk that continues in a later sample must use that sample's
  // pages.
  ReadablePages readable = {};
};

struct WalkResult {
  uint32_t frames;  // number of written frames
  WalkEnd end;
};

// An engine: constant after its set-up, shared by all threads. The functions take the calling thread's own state:
// `state_bytes` of zeroed memory, prepared by init_thread. The state holds the walk's working memory, because the
// handler's stack may be a small alternate stack. One other walk in the same state may interrupt a walk; the
// interrupting walk then runs to its end.
struct Unwinder {
  const char* name;
  size_t state_bytes;

  // Called outside the handler, before the thread's first walk. `bounds` may be {0, 0}: then every read is a checked
  // read.
  void (*init_thread)(void* state, StackBounds bounds);

  // Async-signal-safe. Sets `cursor` to the interrupted context. `context` must outlive the walk.
  void (*start)(void* state, const ucontext_t* context, Cursor* cursor);

  // Async-signal-safe: no allocation, no lock, no stdio, no lazy binding; bounded by `max` frames and the cursor's
  // fuel. Writes up to `max` frames, leaf first, and leaves the cursor behind the last written frame.
  WalkResult (*walk)(void* state, Cursor* cursor, Frame* frames, uint32_t max);

  // Whether walks use only checked reads (safe_read.h) for objects that may be unloaded.
  bool reads_checked = false;
};

// CFI of .eh_frame, with rules cached by pc in each thread. Frame pointers serve objects without CFI.
const Unwinder* CfiUnwinder();

// Frame pointers only: the cheapest walk, right only where every function keeps a frame pointer.
const Unwinder* FramePointerUnwinder();

// libunwind, loaded with dlopen(RTLD_LOCAL) here and only here. NULL if the load fails; `error` (capacity `size`) then
// holds a sentence. Outside the handler only.
const Unwinder* LibunwindUnwinder(char* error, size_t size);

// See also capture_context.h: CaptureContext(ucontext_t*) fills in the caller's own registers. So a walk can begin
// outside a signal handler without a system call.

// Forgets every cached rule of all threads; each thread notices at its next walk. An object was unloaded, and its
// addresses may have another meaning now. Async-signal-safe.
void InvalidateUnwindCaches();

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_UNWIND_UNWINDER_H_
