#include "profiler/collect/blame/wait_state.h"

namespace ompprof::collect {

int MutexWaitState(int kind) {
  switch (kind) {
    case ompt_mutex_critical:
      return ompt_state_wait_critical;
    case ompt_mutex_atomic:
      return ompt_state_wait_atomic;
    case ompt_mutex_ordered:
      return ompt_state_wait_ordered;
    default:
      return ompt_state_wait_lock;
  }
}

}  // namespace ompprof::collect
