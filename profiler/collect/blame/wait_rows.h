// The trace of a wait in the profile: exact totals, and rows with a call path. Callbacks of the waiting thread write
// both.
#ifndef OMPPROF_PROFILER_COLLECT_BLAME_WAIT_ROWS_H_
#define OMPPROF_PROFILER_COLLECT_BLAME_WAIT_ROWS_H_

#include <stdint.h>

#include "profiler/collect/blame/wait_stats.h"
#include "profiler/collect/cct/sample_ring.h"
#include "profiler/collect/thread/session.h"
#include "profiler/collect/thread/thread_state.h"
#include "proto/ompt_state.h"

namespace ompprof::collect {

// False with --waits=off. Threads then have no blame clocks (`blame.until_ns` stays 0, so TakeBlame finds nothing), and
// implicit tasks keep only their regions.
inline bool WithWaits() { return session.config.waits; }

inline bool Collecting() { return session.collecting.load(std::memory_order_relaxed); }

inline uint32_t Epoch() { return session.epoch.load(std::memory_order_relaxed); }

// The shortest wait that is worth a call path.
uint64_t PathThresholdNs();

// The thread's totals of that key; NULL if there is no room for them. The thread's own callbacks call this function and
// all functions below.
WaitCounts* CountsOf(ThreadState* thread, const WaitKey& key);
void AddWait(ThreadState* thread, const WaitKey& key, uint64_t ns, uint64_t path_ns);
// `counts`: the result of CountsOf.
void AddWait(WaitCounts* counts, uint64_t ns, uint64_t path_ns);

// Counts `waits` waits for a lock that took `ns` each.
void AddLength(ThreadState* thread, WaitCounts* counts, uint64_t ns, uint64_t waits);

// Sets what a row with blame tells of the thread's processor since its last blamed sample. Two system calls.
void TellOffProcessor(ThreadState* thread, Sample* row);

// A row of the profile that is not a sample. False if it has no path. `estimated`: by the window clock.
bool PushRow(ThreadState* thread, SampleKind kind, OmptState state, uint64_t wait_id, uint64_t ns,
             bool estimated = false);

// Likewise, for blame where the thread ends the profile.
bool PushAtEnd(ThreadState* thread, OmptState state, uint64_t ns);

// Blame at the region itself: at the region's end, no frame of its code is left.
bool PushAtRegion(ThreadState* thread, const OpenTask& task, uint64_t ns);

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_BLAME_WAIT_ROWS_H_
