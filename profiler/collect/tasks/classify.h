// Which frames of a machine stack are the user's and which the OpenMP runtime's, and where each task begins: one pass
// over the frames and the tasks' frame markers, both sorted by address (ompt_frame_t: spec 000, "Frames"; flags:
// OpenMP 5.x).
#ifndef OMPPROF_PROFILER_COLLECT_TASKS_CLASSIFY_H_
#define OMPPROF_PROFILER_COLLECT_TASKS_CLASSIFY_H_

#include <stdint.h>

#include "profiler/collect/cct/tree.h"
#include "profiler/collect/tasks/runtime_code.h"
#include "profiler/collect/tasks/task_level.h"
#include "profiler/collect/unwind/unwinder.h"

namespace ompprof::collect {

// A stack in two parts: the leaf part and, behind a cut if `cut`, the root part. Leaf first in each.
struct StackParts {
  const Frame* leaf;
  uint32_t leaf_size;
  const Frame* root;
  uint32_t root_size;
  bool cut;
  bool broken;   // the walk ended before the thread's first frame
  uintptr_t sp;  // where the leaf frame begins
};

// Writes the path of the stack, root first, at most `limit` keys, and returns how many: a NODE_ROOT with `epoch`, then
// frames and markers.
//
// `levels` are innermost first, `count` of them, and only those whose frames are on this stack. `runtime_base`: the
// stack begins inside the runtime (a worker), so frames are the runtime's until a task's exit frame; otherwise it
// begins in user code. Without levels every frame that is not in the runtime's code is the user's.
//
// Corner cases (all seen on real runtimes): both frames of a level NULL (created, not started, or finished): the level
// is skipped, but for the marker of a primary thread's implicit task that executes an explicit one at its region's end.
// An exit frame below the top of the stack: the task has not got control yet; it is skipped. An enter
// frame: frames younger than it are the runtime's, up to the next task's exit frame. A frame in the runtime's code is
// the runtime's whatever the markers say, and so is what it calls, until a task's exit frame or code of the object
// whose code called the runtime: compilers have the runtime call the program for a reduction at a barrier, for the
// copies of copyprivate, and the like. (Nor is what libgomp calls under a shim: of a task that the shim does not know
// there is no exit frame.) Async-signal-safe.
uint32_t Classify(const StackParts& stack, const TaskLevel* levels, uint32_t count, bool runtime_base,
                  const RuntimeCode& runtime, uint32_t epoch, NodeKey* keys, uint32_t limit);

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_TASKS_CLASSIFY_H_
