// The perf events that can time samples, by the names that OMPPROF_EVENT accepts. libc only.
#ifndef OMPPROF_PROFILER_CONFIG_PERF_EVENTS_H_
#define OMPPROF_PROFILER_CONFIG_PERF_EVENTS_H_

#include <linux/perf_event.h>
#include <stddef.h>
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

// What perf_event_open gets for samples of `event`, one every `period`.
// The event leaves the kernel out even where counting it is permitted. An overflow inside a system call that then
// sleeps would interrupt the sleep (seen: 62 of a program's sleeps).
// Async-signal-safe.
inline perf_event_attr AttributesOf(const PerfEvent& event, uint64_t period) {
  perf_event_attr attributes{};
  attributes.size = sizeof(attributes);
  attributes.type = event.type;
  attributes.config = event.config;
  attributes.sample_period = period;
  attributes.disabled = 1;
  attributes.exclude_kernel = 1;
  attributes.exclude_hv = 1;
  attributes.wakeup_events = 1;
  return attributes;
}

// Distance between two samples: the event's own, or the one that gives `frequency` samples per second.
uint64_t PeriodOf(const PerfEvent& event, uint32_t frequency);

// Why the event cannot be counted, where perf_event_open has failed with the error number `error`. In `out`, cut to
// `size` bytes.
void RefusalText(const char* event, int error, char* out, size_t size);

}  // namespace ompprof::config

#endif  // OMPPROF_PROFILER_CONFIG_PERF_EVENTS_H_
