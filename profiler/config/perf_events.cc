#include "profiler/config/perf_events.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

namespace ompprof::config {
namespace {

constexpr uint64_t CacheConfig(uint64_t cache, uint64_t op, uint64_t result) { return cache | op << 8 | result << 16; }

constexpr PerfEvent kEvents[] = {
    {kTaskClockEvent, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK, 0},
    {"page-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, 100},
    {"minor-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MIN, 100},
    {"major-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MAJ, 1},
    {"cpu-migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS, 1},
    {"cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, 10000000},
    {"instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, 10000000},
    {"ref-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_REF_CPU_CYCLES, 10000000},
    {"cache-references", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES, 100000},
    {"cache-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES, 10000},
    {"branches", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS, 1000000},
    {"branch-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES, 10000},
    {"stalled-cycles-frontend", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_FRONTEND, 1000000},
    {"stalled-cycles-backend", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_BACKEND, 1000000},
    {"L1-dcache-load-misses", PERF_TYPE_HW_CACHE,
     CacheConfig(PERF_COUNT_HW_CACHE_L1D, PERF_COUNT_HW_CACHE_OP_READ, PERF_COUNT_HW_CACHE_RESULT_MISS), 10000},
    {"LLC-load-misses", PERF_TYPE_HW_CACHE,
     CacheConfig(PERF_COUNT_HW_CACHE_LL, PERF_COUNT_HW_CACHE_OP_READ, PERF_COUNT_HW_CACHE_RESULT_MISS), 10000},
    {"dTLB-load-misses", PERF_TYPE_HW_CACHE,
     CacheConfig(PERF_COUNT_HW_CACHE_DTLB, PERF_COUNT_HW_CACHE_OP_READ, PERF_COUNT_HW_CACHE_RESULT_MISS), 10000},
};

}  // namespace

Rows<PerfEvent> PerfEvents() { return kEvents; }

const PerfEvent* FindPerfEvent(const char* name) {
  for (const PerfEvent& event : kEvents) {
    if (strcmp(event.name, name) == 0) return &event;
  }
  return nullptr;
}

bool ParseEvents(const char* text, EventList* list) {
  char name[64];
  list->size = 0;
  for (const char* at = text;;) {
    const char* const comma = strchr(at, ',');
    const char* const end = comma != nullptr ? comma : at + strlen(at);
    const auto length = static_cast<size_t>(end - at);
    if (length >= sizeof(name) || list->size == kMostCountedEvents) return false;
    memcpy(name, at, length);
    name[length] = '\0';
    const PerfEvent* const event = FindPerfEvent(name);
    for (uint32_t i = 0; i < list->size; ++i) {
      if (list->events[i] == event) return false;
    }
    if (event == nullptr) return false;
    list->events[list->size++] = event;
    if (*end == '\0') return true;
    at = end + 1;
  }
}

uint64_t PeriodOf(const PerfEvent& event, uint32_t frequency) {
  return event.default_period != 0 ? event.default_period : 1000000000ull / frequency;
}

void RefusalText(const char* event, int error, char* out, size_t size) {
  if (error == ENOENT || error == ENODEV || error == EOPNOTSUPP || error == EINVAL) {
    snprintf(out, size,
             "event %s: this machine does not count it (perf_event_open: %s); task-clock works everywhere perf does",
             event, strerror(error));
  } else if (error == EACCES || error == EPERM) {
    snprintf(out, size, "event %s: not permitted (perf_event_open: %s); see /proc/sys/kernel/perf_event_paranoid",
             event, strerror(error));
  } else {
    snprintf(out, size, "event %s: perf_event_open: %s", event, strerror(error));
  }
}

}  // namespace ompprof::config
