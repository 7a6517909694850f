// Tells which frames of a machine stack are the user's and which are the OpenMP runtime's, and where each task begins.
// One pass goes over the frames and the tasks' frame markers, both sorted by address (ompt_frame_t: spec 000, "Frames";
// flags: OpenMP 5.x).
#ifndef OMPPROF_PROFILER_COLLECT_TASKS_CLASSIFY_H_
#define OMPPROF_PROFILER_COLLECT_TASKS_CLASSIFY_H_

#include <stdint.h>

#include "profiler/collect/cct/tree.h"
#include "profiler/collect/tasks/runtime_code.h"
#include "profiler/collect/tasks/task_level.h"
#include "profiler/collect/unwind/unwinder.h"

namespace ompprof::collect {

// A stack in two parts: the leaf part, and the root part behind a cut (if `cut`). Each part begins at its leaf.
struct StackParts {
  const Frame* leaf;
  uint32_t leaf_size;
  const Frame* root;
  uint32_t root_size;
  bool cut;
  bool broken;   // the walk ended before the thread's first frame
  uintptr_t sp;  // the leaf frame begins here
  // With `cut`: the walk went on at the runtime's frame that called the task, whose code has no unwinding tables. The
  // task's marker then comes before the cut.
  bool resumed = false;
  // With `broken`: the walk ended for lack of fuel. The frames before its end are cut, and a longer walk finds them.
  bool starved = false;
};

// Writes the path of the stack, root first, and returns the number of keys, `limit` at most. The path is a NODE_ROOT
// with `epoch`, then frames and markers.
//
// `levels` has `count` tasks, innermost first, and only tasks with frames on this stack. `runtime_base`: the stack
// begins inside the runtime (a worker), so frames are the runtime's until a task's exit frame. Otherwise the stack
// begins in user code. Without levels, every frame outside the runtime's code is the user's.
//
// The rules for the corner cases, all seen on real runtimes:
// - Both frames of a level are NULL (the task is created, not started, or finished): the level is skipped. The
//   exception is a primary thread's implicit task that executes an explicit task at its region's end: its marker stays.
// - An exit frame lies below the top of the stack: the task has not received control yet, and is skipped.
// - The body of a region ends with a jump into the runtime, which executes a task there: the body has no frame, and its
//   marker comes among the runtime's frames before the task.
// - Behind an enter frame, younger frames are the runtime's, up to the next task's exit frame.
// - A runtime's enter frame lies in code outside the runtimes: it is left over from another stack, and is skipped.
// - A frame in the runtime's code is the runtime's, whatever the markers say. So are all frames that it calls, until a
//   task's exit frame, or until code of the object whose code called the runtime. Compilers make the runtime call the
//   program for a reduction at a barrier, for the copies of copyprivate, and for similar work.
// - The code of a target region that an offloading runtime calls on the host lies in an object of its own, and is the
//   user's.
// - Frames that libgomp calls under a shim may be the program's: a task that the shim does not know has no exit frame.
//   So may frames that a runtime calls when it has finalized the tool, in the middle of a region: exit() by a worker.
// - More tasks lie within each other than a sample asks for: the exit frame of the implicit task around them may not be
//   known. Its marker comes before the first frame of the program that libgomp calls, or before the cut behind libgomp.
//
// Async-signal-safe.
uint32_t Classify(const StackParts& stack, const TaskLevel* levels, uint32_t count, bool runtime_base,
                  const RuntimeCode& runtime, uint32_t epoch, NodeKey* keys, uint32_t limit);

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_TASKS_CLASSIFY_H_
