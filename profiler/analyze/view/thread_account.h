// The wall time of a thread, divided: on a processor, waiting in OpenMP, ready without a processor, blocked. The four
// parts add up to the thread's lifetime. Efficiency, regions, advice and the reports' tables of threads use them.
#ifndef OMPPROF_PROFILER_ANALYZE_VIEW_THREAD_ACCOUNT_H_
#define OMPPROF_PROFILER_ANALYZE_VIEW_THREAD_ACCOUNT_H_

#include <cstdint>
#include <map>
#include <utility>

namespace ompprof::analyze {

// Nanoseconds. `wait_ns` is exact. `on_cpu_ns` is the thread's CPU clock less the CPU time that samples show in waits.
// `ready_ns` and `blocked_ns` are what is left.
struct ThreadAccount {
  uint64_t lifetime_ns = 0;  // wall time
  uint64_t on_cpu_ns = 0;    // outside OpenMP's waits
  uint64_t wait_ns = 0;     // in OpenMP's waits, idle between regions included; spinning, asleep or without a processor
  uint64_t ready_ns = 0;    // could run, outside OpenMP's waits, but had no processor
  uint64_t blocked_ns = 0;  // asleep outside OpenMP's waits: I/O, page faults, other locks
  // No parts, because they contain time in waits: the CPU clock, and the time without a processor.
  uint64_t cpu_ns = 0;
  uint64_t delay_ns = 0;

  uint64_t off_cpu_ns() const { return ready_ns + blocked_ns; }

  void Add(const ThreadAccount& more) {
    lifetime_ns += more.lifetime_ns;
    on_cpu_ns += more.on_cpu_ns;
    wait_ns += more.wait_ns;
    ready_ns += more.ready_ns;
    blocked_ns += more.blocked_ns;
    cpu_ns += more.cpu_ns;
    delay_ns += more.delay_ns;
  }
};

using ThreadAccounts = std::map<std::pair<uint32_t, uint32_t>, ThreadAccount>;  // by process and Thread.id

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_VIEW_THREAD_ACCOUNT_H_
