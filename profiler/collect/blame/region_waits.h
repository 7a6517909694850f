// The effect of a region's events on its team's blame clock and on its sums: the members of the team, and their waits
// at the region's end. With --waits=off, these functions keep only the ends of regions, and each thread's regions.
//
// ompt/callbacks calls these functions. Each function that takes a thread runs in that thread's own OMPT callbacks.
#ifndef OMPPROF_PROFILER_COLLECT_BLAME_REGION_WAITS_H_
#define OMPPROF_PROFILER_COLLECT_BLAME_REGION_WAITS_H_

#include <stdint.h>

#include "profiler/collect/tasks/region.h"
#include "profiler/collect/tasks/region_stats.h"
#include "profiler/collect/thread/thread_state.h"

namespace ompprof::collect {

// parallel_begin. The record is complete except for its team.
void TeamBegins(ThreadState* thread, RegionRecord* region);

// The thread begins, or ends, the implicit task `thread_num` of the region.
void ImplicitTaskBegins(ThreadState* thread, RegionRef region, uint32_t team_size, uint32_t thread_num);
void ImplicitTaskEnds(ThreadState* thread);

// The thread leaves a worker's implicit task before the task's region has ended. False if the region has ended.
bool Departs(const OpenTask& task, uint64_t now_ns);

// parallel_end, on the encountering thread. Adds the region's sums to `counts` (may be NULL). True if a thread has
// waited at the region's end for a sampling period or more: then *wait_ns, of all its threads, belongs to the region's
// call path.
bool RegionEnds(ThreadState* thread, RegionRecord* region, uint64_t now_ns, RegionCounts* counts, uint64_t* wait_ns);

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_BLAME_REGION_WAITS_H_
