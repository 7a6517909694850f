// What the user asked the collector to do: the OMPPROF_* environment, validated. The collector reads it once, before
// anything is sampled; `ompprof record` sets it from its options and reads it too, to refuse what the collector would
// refuse. libc only.
#ifndef OMPPROF_PROFILER_CONFIG_CONFIG_H_
#define OMPPROF_PROFILER_CONFIG_CONFIG_H_

#include <stddef.h>
#include <stdint.h>

namespace ompprof::config {

enum class ClockKind : uint8_t { kCpu, kWall };
enum class UnwindKind : uint8_t { kCfi, kFramePointer, kLibunwind };
enum class TaskContext : uint8_t { kSite, kFull, kNone };

inline constexpr uint32_t kMinFrequency = 1;
inline constexpr uint32_t kMaxFrequency = 10000;

struct Config {
  char output[4096] = "";                         // OMPPROF_OUTPUT, pattern; empty: ompprof.<program>.%h.%p.ompprof
  char event[64] = "";                            // OMPPROF_EVENT, a perf event; empty: none
  uint32_t frequency = 199;                       // OMPPROF_FREQUENCY, samples per second and thread
  ClockKind clock = ClockKind::kCpu;              // OMPPROF_CLOCK
  int signal = 0;                                 // OMPPROF_SIGNAL; set to SIGPROF by default
  bool signal_chosen = false;                     // by the user
  UnwindKind unwind = UnwindKind::kCfi;           // OMPPROF_UNWIND
  uint32_t max_depth = 512;                       // OMPPROF_MAX_DEPTH, frames kept of one stack
  uint64_t max_memory = 256ull << 20;             // OMPPROF_MAX_MEMORY, bytes for trees, rings and per-thread data
  TaskContext task_context = TaskContext::kSite;  // OMPPROF_TASK_CONTEXT
  uint64_t delay_ns = 0;                          // OMPPROF_DELAY, seconds: sampling begins that long after the start
  bool paused = false;   // OMPPROF_PAUSED: sampling begins with omp_control_tool(omp_control_tool_start)
  bool children = true;  // OMPPROF_CHILDREN: go on in forked children
  uint64_t flush_interval_ns = 1000000000;  // OMPPROF_FLUSH_INTERVAL, seconds
  bool waits = true;  // OMPPROF_WAITS: hear of waiting and of worksharing, for exact waits, blame, locks and advice
  // OMPPROF_MAX_OVERHEAD, percent: what OMPT events may cost of the program's CPU time, in thousandths. A class of
  // events that would cost more is observed in part, and its waits are estimated. 0: every wait is measured.
  uint32_t max_overhead_permille = 30;
  bool timeline =
      false;  // OMPPROF_TIMELINE: keep when each sample was taken, and each wait of a sampling period or more
  bool gomp_shim = true;  // OMPPROF_GOMP_SHIM, record's own: preload libgomp_ompt.so too
};

// A perf event that can be sampled. The values are perf_event_attr's.
struct PerfEvent {
  const char* name;
  uint32_t type;
  uint64_t config;
  uint64_t default_period;  // events; 0: the event is time in nanoseconds, the period comes from the frequency
};

// NULL if there is none of that name.
const PerfEvent* FindPerfEvent(const char* name);

// Reads the environment into `config`. False if a value is not valid: `error` (capacity `size`) then holds a sentence
// that names the variable, its value and what is accepted.
bool ReadConfig(Config* config, char* error, size_t size);

}  // namespace ompprof::config

#endif  // OMPPROF_PROFILER_CONFIG_CONFIG_H_
