// The perf events that can time samples (OMPPROF_EVENT) or be counted beside them (OMPPROF_COUNT), by their names. libc
// only.
#ifndef OMPPROF_PROFILER_CONFIG_PERF_EVENTS_H_
#define OMPPROF_PROFILER_CONFIG_PERF_EVENTS_H_

#include <errno.h>
#include <linux/perf_event.h>
#include <stddef.h>
#include <stdint.h>

#include "profiler/config/rows.h"
#include "proto/counted_events.h"

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

// The events of OMPPROF_COUNT.
struct EventList {
  uint32_t size = 0;
  const PerfEvent* events[kMostCountedEvents] = {};
};

// Reads one to kMostCountedEvents names with commas between them. False, with `list` undefined, for an unknown name, an
// empty name, a name that comes twice, or too many names.
bool ParseEvents(const char* text, EventList* list);

// What perf_event_open gets for an event that is only counted, and whose descriptor reads the counts of its whole
// group. `kernel`: also while the thread is in the kernel. Async-signal-safe.
inline perf_event_attr CountingAttributesOf(const PerfEvent& event, bool kernel) {
  perf_event_attr attributes{};
  attributes.size = sizeof(attributes);
  attributes.type = event.type;
  attributes.config = event.config;
  attributes.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  attributes.exclude_kernel = kernel ? 0 : 1;
  attributes.exclude_hv = 1;
  return attributes;
}

// Opens a list as one group, whose leader is the first event. `open`: perf_event_open's attributes and group leader
// (-1: none) in, a descriptor or a negative error number out. Returns how many of `descriptors` are open then; fewer
// than list.size: `error` is the error number of the next event. The caller closes them.
template <class Open>
uint32_t OpenGroup(const EventList& list, bool kernel, Open open, int* descriptors, int* error) {
  for (uint32_t i = 0; i < list.size; ++i) {
    perf_event_attr attributes = CountingAttributesOf(*list.events[i], kernel);
    const long descriptor = open(&attributes, i == 0 ? -1 : descriptors[0]);
    if (descriptor < 0) {
      *error = static_cast<int>(-descriptor);
      return i;
    }
    descriptors[i] = static_cast<int>(descriptor);
  }
  return list.size;
}

// Whether another try may succeed that leaves the kernel out.
inline bool IsKernelRefused(int error) { return error == EACCES || error == EPERM; }

// Why the event cannot be counted, where perf_event_open has failed with the error number `error`. In `out`, cut to
// `size` bytes.
void RefusalText(const char* event, int error, char* out, size_t size);

}  // namespace ompprof::config

#endif  // OMPPROF_PROFILER_CONFIG_PERF_EVENTS_H_
