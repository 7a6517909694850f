// A teams region inside a target region has no call at its end when GOMP_teams began it (gcc before 12).
#ifndef RUNTIME_SHIM_GOMP_TEAMS_H_
#define RUNTIME_SHIM_GOMP_TEAMS_H_

#include "runtime_shim/ompt/thread.h"

namespace gomp_ompt {

// At the end of a target region on the host, in the runtime's frame `frame`: reports the end of the team and of the
// league that are still open in it. No-op otherwise.
void EndOpenLeague(Thread& thread, void* frame);

}  // namespace gomp_ompt

#endif  // RUNTIME_SHIM_GOMP_TEAMS_H_
