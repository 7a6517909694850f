// OMPT's thread states: their names, and the frames that stand for waiting in the user view. The views and the
// summaries call these functions. States are from OpenMP 5.2, section 19.4.4.31 (ompt_state_t).
#ifndef OMPPROF_PROFILER_ANALYZE_VIEW_OMP_STATE_H_
#define OMPPROF_PROFILER_ANALYZE_VIEW_OMP_STATE_H_

#include <cstdint>
#include <string>

#include "profiler/analyze/view/run_facts.h"
#include "proto/ompt_state.h"

namespace ompprof::analyze {

// "ompt_state_work_parallel"; a name that the profiled runtime enumerated comes first. kNone is "no_ompt_state".
std::string StateName(const ProcessFacts& process, OmptState state);

// A state for people: "barrier at a region's end" for StateName's "ompt_state_wait_barrier_implicit_parallel". States
// of the runtime's own: the name without prefix, with spaces.
std::string PlainStateName(const std::string& name);

// "loop", "sections", "taskloop": an ompt_work_t (OpenMP 5.2, section 19.4.4.16).
const char* WorkName(uint32_t type);

// "<omp barrier: implicit>" for a state in which a thread waits. Null for states of work, and for overhead, which
// depends on the thread's place.
const char* WaitingFrame(OmptState state);

// Whether a function's name is a frame that stands for waiting that events measure, for idleness, or for waiting in a
// library: "<omp barrier: implicit>", "<omp idle>", "<waiting: OpenBLAS>".
bool StandsForWaiting(const std::string& function);

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_VIEW_OMP_STATE_H_
