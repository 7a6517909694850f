#include "profiler/collect/ompt/tr2_values.h"

namespace ompprof::collect::tr2 {

OmptState StateOf(int state) {
  if (state < kStateIdle) return static_cast<OmptState>(state);
  switch (state) {
    case kStateIdle:
      return OmptState::kIdle;
    case 0x40:
      return OmptState::kWaitBarrier;
    case 0x41:
      return OmptState::kWaitBarrierImplicit;
    case 0x42:
      return OmptState::kWaitBarrierExplicit;
    case 0x50:
      return OmptState::kWaitTaskwait;
    case 0x51:
      return OmptState::kWaitTaskgroup;
    case 0x60:  // a lock
    case 0x61:  // a nestable lock
      return OmptState::kWaitLock;
    case 0x62:
      return OmptState::kWaitCritical;
    case 0x63:
      return OmptState::kWaitAtomic;
    case 0x64:
      return OmptState::kWaitOrdered;
    case 0x6f:  // LLVM's own: the thread does not execute the block of a single construct. It goes on to the barrier
      return OmptState::kWorkParallel;
    case 0x70:
      return OmptState::kUndefined;
    default:
      return OmptState::kOverhead;
  }
}

ompt_set_result_t ResultOf(int result) {
  constexpr ompt_set_result_t kResults[] = {ompt_set_error, ompt_set_impossible, ompt_set_never, ompt_set_sometimes,
                                            ompt_set_always};
  return result >= 0 && result <= 4 ? kResults[result] : ompt_set_error;
}

}  // namespace ompprof::collect::tr2
