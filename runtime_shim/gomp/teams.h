// A teams region inside a target region. If GOMP_teams began the region (gcc before 12), there is no call at its end.
#ifndef RUNTIME_SHIM_GOMP_TEAMS_H_
#define RUNTIME_SHIM_GOMP_TEAMS_H_

#include "runtime_shim/ompt/thread.h"

namespace gomp_ompt {

// The requested number of teams of a league in a target region on the host. `num_teams` is the clause's, 0 without one:
// libgomp then makes one team, also where OMP_NUM_TEAMS gives a number.
inline unsigned RequestedTeamsInTarget(unsigned num_teams) { return num_teams != 0 ? num_teams : 1; }

// Called at the end of a target region on the host, in the runtime's frame `frame`. Reports the end of a team and of a
// league that are still open in the region. No-op otherwise.
void EndOpenLeague(Thread& thread, void* frame);

}  // namespace gomp_ompt

#endif  // RUNTIME_SHIM_GOMP_TEAMS_H_
