// The stack of the calling thread, split by OpenMP tasks, becomes a path of its tree.
#ifndef OMPPROF_PROFILER_COLLECT_PATHS_RECORD_STACK_H_
#define OMPPROF_PROFILER_COLLECT_PATHS_RECORD_STACK_H_

#include <stdint.h>
#include <ucontext.h>

#include "profiler/collect/cct/tree.h"
#include "profiler/collect/tasks/task_view.h"
#include "profiler/collect/thread/thread_state.h"
#include "proto/callpath_profile_fields.h"

namespace ompprof::collect {

// For samples. All are async-signal-safe; the calling thread's own state, `busy` held.

// Gives the thread the fuel of one sample.
void FillFuel(ThreadState* thread);

// Walks the stack from `context` and puts it into the tree: paths.buffer's last_keys and last_nodes, root first.
// Returns the path's size; 0 if the tree is full. `known`: as WalkStack has it.
uint32_t InsertStack(ThreadState* thread, const ucontext_t* context, uintptr_t known, const TaskView& view);

// Whether the code at `pc` is the collector's.
bool IsOwnCode(uintptr_t pc);

// The collector's own frames are under the runtime's in a callback, and nobody's where the profile ends.
inline bool IsUserFrame(NodeKey key) {
  const uint8_t kind = KeyKind(key);
  return (kind & 15) == fields::kNodeFrame && (kind & fields::kNodeRuntime) == 0 && !IsOwnCode(KeyValue(key));
}

// Position of the youngest user frame among keys [0, end), or end if there is none.
uint32_t YoungestUserFrame(const PathBuffer& path, uint32_t end);

// For callbacks.

// Puts the stack at `context` into the thread's tree. Returns its youngest user frame's node (0: none or no room), and
// sets `view`. Outside the handler, `busy` held.
uint32_t RecordCallPath(ThreadState* thread, const ucontext_t* context, TaskView* view);

// Likewise; returns the node of the whole stack, the runtime's frames included.
uint32_t RecordStack(ThreadState* thread, const ucontext_t* context, TaskView* view);

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_PATHS_RECORD_STACK_H_
