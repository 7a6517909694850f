#include "profiler/collect/blame/wait_state.h"

namespace ompprof::collect {

OmptState MutexWaitState(int kind) {
  switch (kind) {
    case ompt_mutex_critical:
      return OmptState::kWaitCritical;
    case ompt_mutex_atomic:
      return OmptState::kWaitAtomic;
    case ompt_mutex_ordered:
      return OmptState::kWaitOrdered;
    default:
      return OmptState::kWaitLock;
  }
}

}  // namespace ompprof::collect
