// Turns the stack of the calling thread, split by OpenMP tasks, into a path of the thread's tree.
#ifndef OMPPROF_PROFILER_COLLECT_PATHS_RECORD_STACK_H_
#define OMPPROF_PROFILER_COLLECT_PATHS_RECORD_STACK_H_

#include <stdint.h>
#include <ucontext.h>

#include "profiler/collect/base/own_code.h"
#include "profiler/collect/cct/tree.h"
#include "profiler/collect/tasks/task_view.h"
#include "profiler/collect/thread/thread_state.h"
#include "proto/callpath_profile_fields.h"

namespace ompprof::collect {

// For samples. All are async-signal-safe and take the calling thread's own state. The caller holds `busy`.

// Gives the thread the fuel of one sample.
void FillFuel(ThreadState* thread);

// Walks the stack from `context` and puts it into the tree: last_keys and last_nodes of paths.buffer, root first.
// Returns the path's size; 0 if the tree is full. `known`: as for WalkStack.
uint32_t InsertStack(ThreadState* thread, const ucontext_t* context, uintptr_t known, const TaskView& view);

// The collector's own frames are no user frames. They lie below the runtime's frames in a callback, and have no owner
// at the profile's end.
inline bool IsUserFrame(NodeKey key) {
  const uint8_t kind = KeyKind(key);
  return (kind & 15) == fields::kNodeFrame && (kind & fields::kNodeRuntime) == 0 && !IsOwnCode(KeyValue(key));
}

// The position of the youngest user frame among keys [0, end); `end` if there is none.
uint32_t YoungestUserFrame(const PathBuffer& path, uint32_t end);

// For callbacks.

// Puts the stack at `context` into the thread's tree, and sets `view`. Returns the node of the youngest user frame; 0:
// there is none, or no room. Outside the handler; the caller holds `busy`.
uint32_t RecordCallPath(ThreadState* thread, const ucontext_t* context, TaskView* view);

// Likewise; returns the node of the whole stack, including the runtime's frames.
uint32_t RecordStack(ThreadState* thread, const ucontext_t* context, TaskView* view);

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_PATHS_RECORD_STACK_H_
