// Chooses the source for the clock that the user asked for.
#include <stdlib.h>
#include <string.h>

#include "profiler/collect/base/os.h"
#include "profiler/collect/base/start_affinity.h"
#include "profiler/collect/sampling/source.h"
#include "profiler/collect/thread/session.h"
#include "profiler/config/perf_events.h"

namespace ompprof::collect {

namespace {

// Whether another process traces this one (ptrace(2): strace, a debugger). Each signal then waits for the tracer.
bool IsTraced() {
  char text[4096];
  text[ReadWholeFile("/proc/self/status", text, sizeof(text) - 1)] = '\0';
  const char* line = strstr(text, "\nTracerPid:");
  return line != nullptr && strtoul(line + strlen("\nTracerPid:"), nullptr, 10) != 0;
}

}  // namespace

bool ChooseSource(char* error, size_t size) {
  const Config& config = session.config;
  session.tick_ns = KernelTickNs();
  session.period = 1000000000ull / config.frequency;
  // By the wall clock, samples of sleepers are what the user asks for.
  constexpr uint32_t kShareByWallClock = 50;
  session.asleep_signals.SetProcessors(ProcessorsAtStart().size(),
                                       config.clock == ClockKind::kWall ? kShareByWallClock : AsleepSignals::kShare);
  // task-clock is the CPU clock.
  if (strcmp(config.event, config::kTaskClockEvent) == 0) session.config.event[0] = '\0';
  if (config.event[0] != '\0') {
    if (!SelectPerfEvent(config.event, error, size)) return false;
    session.source = &kPerfEvent;
  } else if (config.clock == ClockKind::kWall) {
    session.source = &kWallTimer;
  } else {
    // Without the wrappers of libc's functions, instants would interrupt sleeping system calls. Of a traced thread, no
    // clock tells whether a late signal found it on a processor.
    session.source = session.preloaded && !IsTraced() ? &kOnCpuTimer : &kClockedCpuTimer;
  }
  return true;
}

}  // namespace ompprof::collect
