// A walk that tracks every general register. Few frames need it: their CFI needs more than sp and fp. Examples are
// assembly that keeps its frame in rbx, the middle of a realigning prologue, and general DWARF expressions.
#ifndef OMPPROF_PROFILER_COLLECT_UNWIND_FULL_WALK_H_
#define OMPPROF_PROFILER_COLLECT_UNWIND_FULL_WALK_H_

#include "profiler/collect/unwind/dwarf_expression.h"
#include "profiler/collect/unwind/rule_finder.h"
#include "profiler/collect/unwind/stack_reader.h"
#include "profiler/collect/unwind/unwinder.h"

namespace ompprof::collect {

// WalkAllRegisters' working memory. No call needs the contents from an earlier call.
struct FullWalkScratch {
  RuleScratch rule;
  Registers registers;  // at the walk's position
  Registers caller;
};

// Walks again from `cursor->start`. Passes over the `frames_done` frames that are already written, and continues to
// write from there like Unwinder::walk. Interprets CFI at each frame: 0.5 to 1 us for each frame, including the passed
// frames. `stack`: the reader of the walk so far, with its fuel. Async-signal-safe.
WalkResult WalkAllRegisters(StackReader* stack, FullWalkScratch* scratch, Cursor* cursor, Frame* frames, uint32_t max);

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_UNWIND_FULL_WALK_H_
