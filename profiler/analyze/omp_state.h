// OMPT's thread states: their names, and the frames that stand for waiting in the user view. The views and the
// summaries call these functions. States are from OpenMP 5.2, section 19.4.4.31 (ompt_state_t).
#ifndef OMPPROF_PROFILER_ANALYZE_OMP_STATE_H_
#define OMPPROF_PROFILER_ANALYZE_OMP_STATE_H_

#include <cstdint>
#include <string>

#include "profiler/analyze/run_facts.h"
#include "proto/ompt_state.h"

namespace ompprof::analyze {

// "ompt_state_work_parallel"; a name that the profiled runtime enumerated comes first. kNone is "no_ompt_state".
std::string StateName(const ProcessFacts& process, OmptState state);

// "loop", "sections", "taskloop": an ompt_work_t (OpenMP 5.2, section 19.4.4.16).
const char* WorkName(uint32_t type);

// "<omp barrier: implicit>" for a state in which a thread waits. Null for states of work, and for overhead, which
// depends on the thread's place.
const char* WaitingFrame(OmptState state);

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_OMP_STATE_H_
