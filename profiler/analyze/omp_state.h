// OMPT's thread states: their names, and the frame by which the user view shows waiting. The views and the
// summaries call it. States are OpenMP 5.2, section 19.4.4.31 (ompt_state_t).
#ifndef OMPPROF_PROFILER_ANALYZE_OMP_STATE_H_
#define OMPPROF_PROFILER_ANALYZE_OMP_STATE_H_

#include <cstdint>
#include <string>

#include "profiler/analyze/run_facts.h"

namespace ompprof::analyze {

inline constexpr uint32_t kStateWorkSerial = 0x000;
inline constexpr uint32_t kStateWorkParallel = 0x001;
inline constexpr uint32_t kStateWorkReduction = 0x002;
inline constexpr uint32_t kFirstBarrier = 0x010;
inline constexpr uint32_t kLastBarrier = 0x016;
inline constexpr uint32_t kStateWaitMutex = 0x040;
inline constexpr uint32_t kStateWaitLock = 0x041;
inline constexpr uint32_t kStateWaitCritical = 0x042;
inline constexpr uint32_t kStateWaitAtomic = 0x043;
inline constexpr uint32_t kStateWaitOrdered = 0x044;
inline constexpr uint32_t kStateIdle = 0x100;
inline constexpr uint32_t kStateOverhead = 0x101;
inline constexpr uint32_t kStateUndefined = 0x102;
// None of OMPT's: of samples in the profiler's own code, as the user view has them. Their name is "ompprof".
inline constexpr uint32_t kStateOwn = 0xfffffff0;

// "ompt_state_work_parallel"; what the profiled runtime enumerated comes first. `state_plus_1` is as in
// SampleBatch.state: 0, a thread that the runtime does not know, is "no_ompt_state".
std::string StateName(const ProcessFacts& process, uint32_t state_plus_1);

// "loop", "sections", "taskloop": an ompt_work_t (OpenMP 5.2, section 19.4.4.16).
const char* WorkName(uint32_t type);

// What a thread in a state waits for, as the analyses tell waits apart.
enum class WaitKind { kNone, kRegionEnd, kBarrier, kTasks, kLock, kIdle };
WaitKind KindOfWait(uint32_t state);

// "<omp barrier: implicit>" for a state in which a thread waits, null for one in which it works and for
// overhead, which depends on where the thread is.
const char* WaitingFrame(uint32_t state);

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_OMP_STATE_H_
