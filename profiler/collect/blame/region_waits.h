// A region's events as its team's blame clock and its sums want them: who is in the team, and how its threads' waits
// add up at its end. With --waits=off they keep no more than regions need: what their ends are, and which of them a
// thread is in.
//
// All that take a thread are called in that thread's own OMPT callbacks.
#ifndef OMPPROF_PROFILER_COLLECT_BLAME_REGION_WAITS_H_
#define OMPPROF_PROFILER_COLLECT_BLAME_REGION_WAITS_H_

#include <stdint.h>

#include "profiler/collect/tasks/region.h"
#include "profiler/collect/tasks/region_stats.h"
#include "profiler/collect/thread/thread_state.h"

namespace ompprof::collect {

// parallel_begin: the record is complete but for its team.
void TeamBegins(ThreadState* thread, RegionRecord* region);

// The thread is in the implicit task `thread_num` of the region from here, or no longer.
void ImplicitTaskBegins(ThreadState* thread, RegionRef region, uint32_t team_size, uint32_t thread_num);
void ImplicitTaskEnds(ThreadState* thread);

// The thread leaves a worker's implicit task before its region has ended. False if that has.
bool Departs(const OpenTask& task, uint64_t now_ns);

// parallel_end, on the encountering thread: the region's sums go into `counts` (may be NULL). True if a thread has
// waited at the region's end for a sampling period or more: *wait_ns of all its threads belong to the region's call
// path.
bool RegionEnds(ThreadState* thread, RegionRecord* region, uint64_t now_ns, RegionCounts* counts, uint64_t* wait_ns);

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_BLAME_REGION_WAITS_H_
