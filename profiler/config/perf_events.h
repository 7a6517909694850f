// The perf events that can time samples, by the names that OMPPROF_EVENT accepts. libc only.
#ifndef OMPPROF_PROFILER_CONFIG_PERF_EVENTS_H_
#define OMPPROF_PROFILER_CONFIG_PERF_EVENTS_H_

#include <stdint.h>

#include "profiler/config/rows.h"

namespace ompprof::config {

// `type` and `config` are perf_event_attr's.
struct PerfEvent {
  const char* name;
  uint32_t type;
  uint64_t config;
  uint64_t default_period;  // events; 0: the event is time in nanoseconds, and the frequency gives the period
};

// The event that is a CPU clock of its thread.
inline constexpr char kTaskClockEvent[] = "task-clock";

Rows<PerfEvent> PerfEvents();

// NULL if no event has that name.
const PerfEvent* FindPerfEvent(const char* name);

}  // namespace ompprof::config

#endif  // OMPPROF_PROFILER_CONFIG_PERF_EVENTS_H_
