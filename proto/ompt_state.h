// The OMPT state of a thread: its type, its names and its form in a profile (callpath_profile.proto). The collector and
// the offline half both use the type, and neither may include the other. So the type lies beside the format, which
// both know.
//
// States are OpenMP 5.2, section 19.4.4.31 (ompt_state_t). The header needs libc only. All functions are
// async-signal-safe.
#ifndef OMPPROF_PROTO_OMPT_STATE_H_
#define OMPPROF_PROTO_OMPT_STATE_H_

#include <stdint.h>

namespace ompprof {

// The values are OMPT's numbers. A runtime may have states of its own, so any other value can occur as well.
enum class OmptState : uint32_t {
  kWorkSerial = 0x000,
  kWorkParallel = 0x001,
  kWorkReduction = 0x002,
  kWaitBarrier = 0x010,  // any barrier, or an implicit barrier: OMPT does not tell these apart
  kWaitBarrierImplicitParallel = 0x011,
  kWaitBarrierImplicitWorkshare = 0x012,
  kWaitBarrierImplicit = 0x013,
  kWaitBarrierExplicit = 0x014,
  kWaitBarrierImplementation = 0x015,
  kWaitBarrierTeams = 0x016,
  kWaitTaskwait = 0x020,
  kWaitTaskgroup = 0x021,
  kWaitMutex = 0x040,
  kWaitLock = 0x041,
  kWaitCritical = 0x042,
  kWaitAtomic = 0x043,
  kWaitOrdered = 0x044,
  kWaitTarget = 0x080,
  kWaitTargetMap = 0x081,
  kWaitTargetUpdate = 0x082,
  kIdle = 0x100,
  kOverhead = 0x101,
  kUndefined = 0x102,

  kNone = 0xffffffff,  // no state of OMPT's: the runtime does not know the thread
};

constexpr bool IsBarrier(OmptState state) {
  return state >= OmptState::kWaitBarrier && state <= OmptState::kWaitBarrierTeams;
}

constexpr bool IsTaskWait(OmptState state) {
  return state == OmptState::kWaitTaskwait || state == OmptState::kWaitTaskgroup;
}

// A state in a profile is its number + 1, and 0 for none (SampleBatch.state, WaitStats.state). The encoder and the
// reader call these functions.
constexpr uint32_t StateToWire(OmptState state) { return static_cast<uint32_t>(state) + 1; }
constexpr OmptState StateFromWire(uint32_t wire) { return static_cast<OmptState>(wire - 1); }

}  // namespace ompprof

#endif  // OMPPROF_PROTO_OMPT_STATE_H_
