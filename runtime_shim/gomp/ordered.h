// The wait ids of ordered regions.
#ifndef RUNTIME_SHIM_GOMP_ORDERED_H_
#define RUNTIME_SHIM_GOMP_ORDERED_H_

#include "runtime_shim/gomp/enter.h"

namespace gomp_ompt {

// The wait id of the ordered regions of the task's loop. All threads of the team have the same id. Each loop of the
// region has another id, because with nowait two loops may be under way at once. The id is an address inside the
// region's record, so no other region and no lock has it.
inline ompt_wait_id_t OrderedWaitId(const Task* task) {
  return reinterpret_cast<ompt_wait_id_t>(task->parallel) + task->loops_begun % sizeof(Parallel);
}

}  // namespace gomp_ompt

#endif  // RUNTIME_SHIM_GOMP_ORDERED_H_
