// The classes of a thread's time. Each class has a colour on the page.
#ifndef OMPPROF_PROFILER_REPORT_HTML_TIME_CLASS_H_
#define OMPPROF_PROFILER_REPORT_HTML_TIME_CLASS_H_

#include "profiler/analyze/view/state_kind.h"
#include "proto/ompt_state.h"

namespace ompprof::report {

enum class TimeClass {
  kWork,      // works in a parallel region
  kSerial,    // works outside all regions
  kOverhead,  // executes the OpenMP runtime and does not wait
  kBarrier,   // waits at a barrier
  kLock,      // waits for a lock, critical, ordered or atomic
  kTasks,     // waits in taskwait or taskgroup
  kTarget,    // waits for a device
  kLibrary,   // waits in a library
  kMpi,       // in MPI, mostly waiting for other ranks
  kIdle,      // a worker between regions
  kOwn,       // executes the profiler
  kUnknown,   // the OpenMP runtime does not know the thread, or there is no runtime
};
inline constexpr int kTimeClasses = 12;

// "work", "serial", ...
const char* TimeClassName(TimeClass time_class);

constexpr TimeClass TimeClassOf(analyze::StateKind kind) {
  switch (kind) {
    case analyze::StateKind::kWork:
      return TimeClass::kWork;
    case analyze::StateKind::kSerial:
      return TimeClass::kSerial;
    case analyze::StateKind::kOverhead:
      return TimeClass::kOverhead;
    case analyze::StateKind::kRegionEnd:
    case analyze::StateKind::kBarrier:
      return TimeClass::kBarrier;
    case analyze::StateKind::kTasks:
      return TimeClass::kTasks;
    case analyze::StateKind::kLock:
      return TimeClass::kLock;
    case analyze::StateKind::kTarget:
      return TimeClass::kTarget;
    case analyze::StateKind::kLibrary:
      return TimeClass::kLibrary;
    case analyze::StateKind::kMpi:
      return TimeClass::kMpi;
    case analyze::StateKind::kIdle:
      return TimeClass::kIdle;
    case analyze::StateKind::kOwn:
      return TimeClass::kOwn;
    case analyze::StateKind::kOtherWait:
    case analyze::StateKind::kUnknown:
    case analyze::StateKind::kNoState:
      break;
  }
  return TimeClass::kUnknown;
}
constexpr TimeClass TimeClassOf(OmptState state) { return TimeClassOf(analyze::KindOf(state)); }

// Whether a thread of this class waits, is in MPI or is idle.
bool IsWaiting(TimeClass time_class);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_HTML_TIME_CLASS_H_
