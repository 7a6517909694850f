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
  // task-clock is the CPU clock.
  if (strcmp(config.event, config::kTaskClockEvent) == 0) session.config.event[0] = '\0';
  if (config.event[0] != '\0') {
    if (!SelectPerfEvent(config.event, error, size)) return false;
    session.source = &kPerfEvent;
  } else if (config.clock == ClockKind::kWall) {
    session.source = &kWallTimer;
  } else {
    // Without the wrappers of libc's functions, instants would interrupt sleeping system calls.
    session.source = session.preloaded ? &kOnCpuTimer : &kClockedCpuTimer;
  }
  return true;
}

}  // namespace ompprof::collect
