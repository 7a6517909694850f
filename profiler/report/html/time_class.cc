#include "profiler/report/html/time_class.h"

namespace ompprof::report {

const char* TimeClassName(TimeClass time_class) {
  static const char* const kNames[kTimeClasses] = {"work",   "serial",  "overhead", "barrier", "lock",    "tasks",
                                                   "target", "library", "mpi",      "idle",    "ompprof", "unknown"};
  return kNames[static_cast<int>(time_class)];
}

bool IsWaiting(TimeClass time_class) {
  switch (time_class) {
    case TimeClass::kBarrier:
    case TimeClass::kLock:
    case TimeClass::kTasks:
    case TimeClass::kTarget:
    case TimeClass::kLibrary:
    case TimeClass::kMpi:
    case TimeClass::kIdle:
      return true;
    default:
      return false;
  }
}

}  // namespace ompprof::report
