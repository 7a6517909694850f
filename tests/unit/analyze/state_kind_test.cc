// The kind of each state, and the Activity, Spent and TimeClass of each kind.
#include "profiler/analyze/view/state_kind.h"

#include <gtest/gtest.h>

#include "profiler/analyze/account/annotation.h"
#include "profiler/analyze/account/summary.h"
#include "profiler/report/html/time_class.h"
#include "proto/ompt_state.h"

namespace ompprof::analyze {
namespace {

using report::TimeClass;
using report::TimeClassOf;

// The states from `first` to `last`, by number. States between two named states have no name.
struct Expected {
  OmptState first, last;
  StateKind kind;
  bool measured;
  Activity activity;
  Spent spent;
  TimeClass time_class;
};

constexpr OmptState After(OmptState state) { return static_cast<OmptState>(static_cast<uint32_t>(state) + 1); }
constexpr OmptState Before(OmptState state) { return static_cast<OmptState>(static_cast<uint32_t>(state) - 1); }

constexpr Expected kExpected[] = {
    {OmptState::kWorkSerial, OmptState::kWorkSerial, StateKind::kSerial, false, Activity::kWork, Spent::kWork,
     TimeClass::kSerial},
    {OmptState::kWorkParallel, Before(OmptState::kWaitBarrier), StateKind::kWork, false, Activity::kWork, Spent::kWork,
     TimeClass::kWork},
    {OmptState::kWaitBarrier, OmptState::kWaitBarrier, StateKind::kBarrier, true, Activity::kWait, Spent::kBarrier,
     TimeClass::kBarrier},
    {OmptState::kWaitBarrierImplicitParallel, OmptState::kWaitBarrierImplicitParallel, StateKind::kRegionEnd, true,
     Activity::kWait, Spent::kBarrier, TimeClass::kBarrier},
    {OmptState::kWaitBarrierImplicitWorkshare, OmptState::kWaitBarrierTeams, StateKind::kBarrier, true, Activity::kWait,
     Spent::kBarrier, TimeClass::kBarrier},
    {After(OmptState::kWaitBarrierTeams), Before(OmptState::kWaitTaskwait), StateKind::kOtherWait, false,
     Activity::kWait, Spent::kOtherWait, TimeClass::kUnknown},
    {OmptState::kWaitTaskwait, OmptState::kWaitTaskgroup, StateKind::kTasks, true, Activity::kWait, Spent::kTasks,
     TimeClass::kTasks},
    {After(OmptState::kWaitTaskgroup), Before(OmptState::kWaitMutex), StateKind::kOtherWait, false, Activity::kWait,
     Spent::kOtherWait, TimeClass::kUnknown},
    {OmptState::kWaitMutex, OmptState::kWaitOrdered, StateKind::kLock, true, Activity::kWait, Spent::kLock,
     TimeClass::kLock},
    {After(OmptState::kWaitOrdered), Before(OmptState::kWaitTarget), StateKind::kOtherWait, false, Activity::kWait,
     Spent::kOtherWait, TimeClass::kUnknown},
    {OmptState::kWaitTarget, Before(OmptState::kIdle), StateKind::kTarget, false, Activity::kWait, Spent::kOtherWait,
     TimeClass::kTarget},
    {OmptState::kIdle, OmptState::kIdle, StateKind::kIdle, true, Activity::kIdle, Spent::kOtherWait, TimeClass::kIdle},
    {OmptState::kOverhead, OmptState::kOverhead, StateKind::kOverhead, false, Activity::kOverhead, Spent::kOverhead,
     TimeClass::kOverhead},
    {OmptState::kUndefined, static_cast<OmptState>(0x300), StateKind::kUnknown, false, Activity::kOverhead,
     Spent::kOverhead, TimeClass::kUnknown},
    {kStateLibraryWait, kStateLibraryWait, StateKind::kLibrary, false, Activity::kWait, Spent::kOtherWait,
     TimeClass::kLibrary},
    {kStateMpi, kStateMpi, StateKind::kMpi, false, Activity::kMpi, Spent::kMpi, TimeClass::kMpi},
    {kStateOwn, kStateOwn, StateKind::kOwn, false, Activity::kOwn, Spent::kOwn, TimeClass::kOwn},
    {OmptState::kNone, OmptState::kNone, StateKind::kNoState, false, Activity::kNoState, Spent::kWork,
     TimeClass::kUnknown},
};

TEST(StateKind, OfEachState) {
  for (const Expected& expected : kExpected) {
    for (OmptState state = expected.first;; state = After(state)) {
      SCOPED_TRACE(static_cast<uint32_t>(state));
      EXPECT_EQ(KindOf(state), expected.kind);
      EXPECT_EQ(IsMeasuredWait(state), expected.measured);
      if (state == expected.last) break;
    }
    EXPECT_EQ(ActivityOf(expected.kind), expected.activity);
    EXPECT_EQ(SpentOf(expected.kind), expected.spent);
    EXPECT_EQ(TimeClassOf(expected.kind), expected.time_class);
  }
}

}  // namespace
}  // namespace ompprof::analyze
