// The names of states, compared with OMPT's, and their form in a file.
#include "proto/ompt_state.h"

#include <gtest/gtest.h>
#include <omp-tools.h>

#include <utility>

namespace ompprof {
namespace {

TEST(OmptState, HasTheNumbersOfOmpt) {
  const std::pair<OmptState, int> states[] = {
      {OmptState::kWorkSerial, ompt_state_work_serial},
      {OmptState::kWorkParallel, ompt_state_work_parallel},
      {OmptState::kWorkReduction, ompt_state_work_reduction},
      {OmptState::kWaitBarrierImplicitParallel, ompt_state_wait_barrier_implicit_parallel},
      {OmptState::kWaitBarrierImplicitWorkshare, ompt_state_wait_barrier_implicit_workshare},
      {OmptState::kWaitBarrierExplicit, ompt_state_wait_barrier_explicit},
      {OmptState::kWaitBarrierImplementation, ompt_state_wait_barrier_implementation},
      {OmptState::kWaitBarrierTeams, ompt_state_wait_barrier_teams},
      {OmptState::kWaitTaskwait, ompt_state_wait_taskwait},
      {OmptState::kWaitTaskgroup, ompt_state_wait_taskgroup},
      {OmptState::kWaitMutex, ompt_state_wait_mutex},
      {OmptState::kWaitLock, ompt_state_wait_lock},
      {OmptState::kWaitCritical, ompt_state_wait_critical},
      {OmptState::kWaitAtomic, ompt_state_wait_atomic},
      {OmptState::kWaitOrdered, ompt_state_wait_ordered},
      {OmptState::kWaitTarget, ompt_state_wait_target},
      {OmptState::kWaitTargetMap, ompt_state_wait_target_map},
      {OmptState::kWaitTargetUpdate, ompt_state_wait_target_update},
      {OmptState::kIdle, ompt_state_idle},
      {OmptState::kOverhead, ompt_state_overhead},
      {OmptState::kUndefined, ompt_state_undefined},
  };
  for (const auto& [state, number] : states) EXPECT_EQ(static_cast<int>(state), number);
}

// The first 0x103 numbers, among them all of OMPT's, and those at the edges.
TEST(OmptState, ComesBackFromAFile) {
  for (uint32_t number = 0; number < 0x103; ++number) {
    const auto state = static_cast<OmptState>(number);
    EXPECT_EQ(StateToWire(state), number + 1);
    EXPECT_EQ(StateFromWire(StateToWire(state)), state);
  }
  EXPECT_EQ(StateToWire(OmptState::kNone), 0u);
  EXPECT_EQ(StateFromWire(0), OmptState::kNone);
  const auto largest = static_cast<OmptState>(0xfffffffe);
  EXPECT_EQ(StateToWire(largest), 0xffffffffu);
  EXPECT_EQ(StateFromWire(0xffffffff), largest);
}

TEST(OmptState, BarriersAndTaskWaits) {
  for (uint32_t number = 0; number < 0x103; ++number) {
    const auto state = static_cast<OmptState>(number);
    EXPECT_EQ(IsBarrier(state), number >= 0x010 && number <= 0x016) << number;
    EXPECT_EQ(IsTaskWait(state), number == 0x020 || number == 0x021) << number;
  }
  EXPECT_FALSE(IsBarrier(OmptState::kNone));
  EXPECT_FALSE(IsTaskWait(OmptState::kNone));
}

}  // namespace
}  // namespace ompprof
