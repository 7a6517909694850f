// The kinds of OMPT states: what a thread does in each. Only this file sorts states into kinds. Activity (summary.h),
// Spent (annotation.h) and the page's TimeClass are coarser; each is a table of these kinds.
#ifndef OMPPROF_PROFILER_ANALYZE_VIEW_STATE_KIND_H_
#define OMPPROF_PROFILER_ANALYZE_VIEW_STATE_KIND_H_

#include "proto/ompt_state.h"

namespace ompprof::analyze {

// The user view's state for samples in the profiler's own code; not an OMPT state. Its name is "ompprof".
inline constexpr OmptState kStateOwn = static_cast<OmptState>(0xfffffff0);

// The state of samples that wait outside of OpenMP, in a library or for its lock (library_waits.h); not an OMPT state.
// Its name is "library_wait".
inline constexpr OmptState kStateLibraryWait = static_cast<OmptState>(0xfffffff1);

// The state of samples in MPI (mpi_frames.h), working or waiting; not an OMPT state. Its name is "mpi".
inline constexpr OmptState kStateMpi = static_cast<OmptState>(0xfffffff2);

enum class StateKind {
  kWork,       // works in a region
  kSerial,     // works outside all regions
  kOverhead,   // executes the runtime's code, and does not wait
  kRegionEnd,  // waits at the barrier at a region's end
  kBarrier,    // waits at another barrier
  kTasks,      // waits in taskwait or taskgroup
  kLock,       // waits for a lock, critical, ordered or atomic
  kTarget,     // waits for a device
  kOtherWait,  // waits for something that OpenMP 5.2 does not know
  kLibrary,    // waits outside of OpenMP: in OpenBLAS, TBB, ..., or for a mutex
  kMpi,        // executes MPI, mostly waiting for other ranks
  kIdle,       // a worker between regions
  kOwn,        // executes the profiler's code
  kUnknown,    // ompt_state_undefined, or a state of the runtime's own
  kNoState,    // the runtime does not know the thread
};

constexpr StateKind KindOf(OmptState state) {
  if (state == OmptState::kNone) return StateKind::kNoState;
  if (state == kStateOwn) return StateKind::kOwn;
  if (state == kStateLibraryWait) return StateKind::kLibrary;
  if (state == kStateMpi) return StateKind::kMpi;
  if (state == OmptState::kWorkSerial) return StateKind::kSerial;
  if (state < OmptState::kWaitBarrier) return StateKind::kWork;
  if (state == OmptState::kWaitBarrierImplicitParallel) return StateKind::kRegionEnd;
  if (IsBarrier(state)) return StateKind::kBarrier;
  if (IsTaskWait(state)) return StateKind::kTasks;
  if (state >= OmptState::kWaitMutex && state <= OmptState::kWaitOrdered) return StateKind::kLock;
  if (state >= OmptState::kWaitTarget && state < OmptState::kIdle) return StateKind::kTarget;
  if (state < OmptState::kIdle) return StateKind::kOtherWait;
  if (state == OmptState::kIdle) return StateKind::kIdle;
  return state == OmptState::kOverhead ? StateKind::kOverhead : StateKind::kUnknown;
}

// Whether OMPT events mark the begin and end of such waits. View::waits has these waits.
constexpr bool IsMeasuredWait(StateKind kind) {
  switch (kind) {
    case StateKind::kRegionEnd:
    case StateKind::kBarrier:
    case StateKind::kTasks:
    case StateKind::kLock:
    case StateKind::kIdle:
      return true;
    case StateKind::kWork:
    case StateKind::kSerial:
    case StateKind::kOverhead:
    case StateKind::kTarget:
    case StateKind::kOtherWait:
    case StateKind::kLibrary:
    case StateKind::kMpi:
    case StateKind::kOwn:
    case StateKind::kUnknown:
    case StateKind::kNoState:
      return false;
  }
  return false;
}
constexpr bool IsMeasuredWait(OmptState state) { return IsMeasuredWait(KindOf(state)); }

// Whether the runtime does not say that the thread waits. Then the stack tells what the thread does: it may wait in a
// library, or be in MPI.
constexpr bool MayWork(OmptState state) {
  const StateKind kind = KindOf(state);
  return kind == StateKind::kWork || kind == StateKind::kSerial || kind == StateKind::kOverhead ||
         kind == StateKind::kUnknown || kind == StateKind::kNoState;
}

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_VIEW_STATE_KIND_H_
