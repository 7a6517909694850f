// What a thread is doing, in the few classes that the page tells apart by colour.
#ifndef OMPPROF_PROFILER_REPORT_HTML_TIME_CLASS_H_
#define OMPPROF_PROFILER_REPORT_HTML_TIME_CLASS_H_

#include <cstdint>

namespace ompprof::report {

enum class TimeClass {
  kWork,      // in a parallel region
  kSerial,    // outside of any
  kOverhead,  // in the OpenMP runtime, not waiting
  kBarrier,   // waits: at barriers
  kLock,      // for locks, criticals, ordered and atomics
  kTasks,     // in taskwait and taskgroup
  kTarget,    // for a device
  kIdle,      // a worker between regions
  kOwn,       // the profiler's own work
  kUnknown,   // the OpenMP runtime does not know the thread, or there is none
};
inline constexpr int kTimeClasses = 10;

// "work", "serial", ...
const char* TimeClassName(TimeClass time_class);

// `state_plus_1` is as in SampleBatch.state.
TimeClass TimeClassOf(uint32_t state_plus_1);

// True for the classes in which a thread has nothing to do.
bool IsWaiting(TimeClass time_class);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_HTML_TIME_CLASS_H_
