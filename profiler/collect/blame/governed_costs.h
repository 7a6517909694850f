// The cost of one thread's OMPT events, for the governor (governor.h).
#ifndef OMPPROF_PROFILER_COLLECT_BLAME_GOVERNED_COSTS_H_
#define OMPPROF_PROFILER_COLLECT_BLAME_GOVERNED_COSTS_H_

#include <stdint.h>

#include <atomic>

#include "proto/callpath_profile_fields.h"

namespace ompprof::collect {

// Waits that are estimated together.
enum class Governed : uint32_t {
  kTeams,  // waits at barriers and for tasks: of a whole team at once
  kLocks,  // waits for locks: each acquisition by itself
};
inline constexpr uint32_t kGovernedGroups = 2;

// The costs of one thread.
struct GovernedCosts {
  // Events that were not timed, by class. The thread's callbacks add to them, and the writer reads them.
  std::atomic<uint64_t> unobserved[fields::kEventClassCount];
  // The number of sync_region_wait events at barriers. Written and read like `unobserved`.
  std::atomic<uint64_t> barrier_events;

  // Only the handler uses the rest. Since the last decision:
  uint64_t sampled_ns;  // the time of the last sample, if samples do not stand for time
  uint64_t window_ns;   // CPU time
  uint32_t samples;
  uint32_t own_samples;                 // in the collector's own code
  uint64_t spent_ns[kGovernedGroups];   // by the model, as if all events were timed
  uint64_t so_far_ns[kGovernedGroups];  // of all events, at the last sample
  // Of about the last kRecentWindows decisions:
  double recent_samples;
  double recent_own;

  void Reset() {
    for (auto& sum : unobserved) sum.store(0, std::memory_order_relaxed);
    barrier_events.store(0, std::memory_order_relaxed);
    window_ns = sampled_ns = 0;
    samples = own_samples = 0;
    recent_samples = recent_own = 0;
    for (uint32_t group = 0; group < kGovernedGroups; ++group) spent_ns[group] = so_far_ns[group] = 0;
  }
  void Unobserved(fields::EventClass event_class, uint32_t count) {
    std::atomic<uint64_t>& sum = unobserved[event_class];
    sum.store(sum.load(std::memory_order_relaxed) + count, std::memory_order_relaxed);
  }
};

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_BLAME_GOVERNED_COSTS_H_
