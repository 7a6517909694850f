// The settings of a recording, as the user chose them. ReadConfig sets them from the environment.
#ifndef OMPPROF_PROFILER_CONFIG_CONFIG_H_
#define OMPPROF_PROFILER_CONFIG_CONFIG_H_

#include <stdint.h>

namespace ompprof::config {

enum class ClockKind : uint8_t { kCpu, kWall };
enum class UnwindKind : uint8_t { kCfi, kFramePointer, kLibunwind };
enum class OlderOmpt : uint8_t { kAuto, kOn, kOff };
enum class TaskContext : uint8_t { kSite, kFull, kNone };

// Each member but signal_chosen is a row of the table in settings.cc, which says what the member means.
struct Config {
  char output[4096] = "";  // pattern; empty: the usual pattern (output_name.h)
  char stage[4096] = "";   // empty: none
  char ranks[4096] = "";   // empty: all
  char event[64] = "";     // empty: none
  char count[256] = "";    // events with commas between them (perf_events.h); empty: none
  uint32_t frequency = 199;
  ClockKind clock = ClockKind::kCpu;
  int signal = 0;              // 0 until ReadConfig, which sets SIGPROF by default
  bool signal_chosen = false;  // by the user
  UnwindKind unwind = UnwindKind::kCfi;
  uint32_t max_depth = 512;
  uint64_t max_memory = 256ull << 20;  // bytes for trees, rings and per-thread data
  TaskContext task_context = TaskContext::kSite;
  uint64_t delay_ns = 0;
  bool paused = false;
  bool children = true;  // go on in forked children
  uint64_t flush_interval_ns = 1000000000;
  bool waits = true;                    // hear of waiting and of worksharing
  uint32_t max_overhead_permille = 30;  // of the program's CPU time; 0: every wait is measured
  bool timeline = false;
  bool gomp_shim = true;                    // read by `ompprof record`
  OlderOmpt older_ompt = OlderOmpt::kAuto;  // likewise
};

}  // namespace ompprof::config

#endif  // OMPPROF_PROFILER_CONFIG_CONFIG_H_
