// Chooses the source for the clock that the user asked for.
#include <string.h>

#include "profiler/collect/base/os.h"
#include "profiler/collect/sampling/source.h"
#include "profiler/collect/thread/session.h"
#include "profiler/config/perf_events.h"

namespace ompprof::collect {

bool ChooseSource(char* error, size_t size) {
  const Config& config = session.config;
  session.tick_ns = KernelTickNs();
  session.period = 1000000000ull / config.frequency;
  if (config.event[0] != '\0') {
    if (!SelectPerfEvent(config.event, error, size)) return false;
    session.source = strcmp(config.event, config::kTaskClockEvent) == 0 ? &kPerfTaskClock : &kPerfEvent;
    return true;
  }
  if (config.clock == ClockKind::kWall) {
    session.source = &kWallTimer;
  } else if (session.period >= session.tick_ns) {
    session.source = &kCpuTimer;
  } else if (PerfTaskClockWorks()) {
    session.source = &kPerfTaskClock;
  } else {
    session.source = &kMonotonicCpuTimer;
  }
  return true;
}

}  // namespace ompprof::collect
