// The wait ids of ordered regions.
#ifndef RUNTIME_SHIM_GOMP_ORDERED_H_
#define RUNTIME_SHIM_GOMP_ORDERED_H_

#include "runtime_shim/gomp/enter.h"

namespace gomp_ompt {

// The wait id of the ordered regions of the task's loop: the same for all threads of the team, another one for each
// loop of the region, since a nowait lets two be under way at once. It is an address inside the region's record, so it
// is no other region's, nor any lock's.
inline ompt_wait_id_t OrderedWaitId(const Task* task) {
  return reinterpret_cast<ompt_wait_id_t>(task->parallel) + task->loops_begun % sizeof(Parallel);
}

}  // namespace gomp_ompt

#endif  // RUNTIME_SHIM_GOMP_ORDERED_H_
