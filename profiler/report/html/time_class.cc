#include "profiler/report/html/time_class.h"

#include "profiler/analyze/omp_state.h"

namespace ompprof::report {
namespace {

constexpr uint32_t kFirstTarget = 0x080;  // ompt_state_wait_target

}  // namespace

const char* TimeClassName(TimeClass time_class) {
  static const char* const kNames[kTimeClasses] = {"work",  "serial", "overhead", "barrier", "lock",
                                                   "tasks", "target", "idle",     "ompprof", "unknown"};
  return kNames[static_cast<int>(time_class)];
}

TimeClass TimeClassOf(uint32_t state_plus_1) {
  if (state_plus_1 == 0) return TimeClass::kUnknown;
  const uint32_t state = state_plus_1 - 1;
  switch (analyze::KindOfWait(state)) {
    case analyze::WaitKind::kRegionEnd:
    case analyze::WaitKind::kBarrier:
      return TimeClass::kBarrier;
    case analyze::WaitKind::kTasks:
      return TimeClass::kTasks;
    case analyze::WaitKind::kLock:
      return TimeClass::kLock;
    case analyze::WaitKind::kIdle:
      return TimeClass::kIdle;
    case analyze::WaitKind::kNone:
      break;
  }
  if (state == analyze::kStateOwn) return TimeClass::kOwn;
  if (state == analyze::kStateWorkSerial) return TimeClass::kSerial;
  if (state < analyze::kFirstBarrier) return TimeClass::kWork;
  if (state == analyze::kStateOverhead) return TimeClass::kOverhead;
  return state >= kFirstTarget && state < analyze::kStateIdle ? TimeClass::kTarget : TimeClass::kUnknown;
}

bool IsWaiting(TimeClass time_class) {
  switch (time_class) {
    case TimeClass::kBarrier:
    case TimeClass::kLock:
    case TimeClass::kTasks:
    case TimeClass::kTarget:
    case TimeClass::kIdle:
      return true;
    default:
      return false;
  }
}

}  // namespace ompprof::report
