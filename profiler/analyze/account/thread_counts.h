// How many threads of a process are busy, and how many wait, over time. The export for Perfetto shows both as counters.
#ifndef OMPPROF_PROFILER_ANALYZE_ACCOUNT_THREAD_COUNTS_H_
#define OMPPROF_PROFILER_ANALYZE_ACCOUNT_THREAD_COUNTS_H_

#include <cstdint>
#include <vector>

#include "profiler/analyze/account/timeline.h"
#include "profiler/analyze/view/view.h"
#include "proto/ompt_state.h"

namespace ompprof::analyze {

// Whether a thread in this state can't go on: in OpenMP's waits, for a device, in a library, idle between regions.
bool IsWaiting(OmptState state);

struct ThreadCount {
  uint64_t at_us;  // since the first process's start; the numbers hold until the next entry
  uint32_t busy;
  uint32_t waiting;
};

// The counts of a process by time, each different from the entry before it; the last entry has no threads. Threads in
// gaps of their timelines are in neither number. Times are in whole microseconds, as the export's slices are.
std::vector<ThreadCount> CountThreads(const View& view, const std::vector<ThreadTimeline>& timelines, uint32_t process);

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_ACCOUNT_THREAD_COUNTS_H_
