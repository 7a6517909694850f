// The events that were counted beside the samples (`record --count`), and what can be computed from their counts.
#ifndef OMPPROF_PROFILER_ANALYZE_VIEW_COUNTED_EVENT_H_
#define OMPPROF_PROFILER_ANALYZE_VIEW_COUNTED_EVENT_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "profiler/model/cost.h"

namespace ompprof::analyze {

using model::Counts;

struct CountedEvent {
  std::string name;  // of the perf event: "cycles"
  size_t at;         // its place in Counts
};

// The count of the event with this name; nothing if it is not among `events`.
inline std::optional<uint64_t> CountOf(const std::vector<CountedEvent>& events, const char* name,
                                       const Counts& counts) {
  for (const CountedEvent& event : events) {
    if (event.name == name) return counts[event.at];
  }
  return {};
}

// Whether both events were counted that instructions per cycle need.
inline bool KnowsIpc(const std::vector<CountedEvent>& events) {
  return CountOf(events, "cycles", {}) && CountOf(events, "instructions", {});
}

// Instructions per cycle; nothing if one of the two was not counted, or if there were no cycles.
inline std::optional<double> Ipc(const std::vector<CountedEvent>& events, const Counts& counts) {
  const std::optional<uint64_t> cycles = CountOf(events, "cycles", counts);
  const std::optional<uint64_t> instructions = CountOf(events, "instructions", counts);
  if (!cycles || !instructions || *cycles == 0) return {};
  return static_cast<double>(*instructions) / static_cast<double>(*cycles);
}

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_VIEW_COUNTED_EVENT_H_
