#include "runtime_shim/generations/early_values.h"

#include "runtime_shim/ompt/states.h"

namespace gomp_ompt {
namespace early {
namespace {

// ompt_state_t (A.1).
enum State {
  kStateWorkSerial = 0x00,
  kStateWorkParallel = 0x01,
  kStateWorkReduction = 0x02,
  kStateIdle = 0x10,
  kStateOverhead = 0x20,
  kStateWaitBarrier = 0x40,
  kStateWaitBarrierImplicit = 0x41,
  kStateWaitBarrierExplicit = 0x42,
  kStateWaitTaskwait = 0x50,
  kStateWaitTaskgroup = 0x51,
  kStateWaitLock = 0x60,
  kStateWaitNestLock = 0x61,
  kStateWaitCritical = 0x62,
  kStateWaitAtomic = 0x63,
  kStateWaitOrdered = 0x64,
  kStateWaitSingle = 0x6f,  // LLVM's addition
  kStateUndefined = 0x70,
  kStateFirst = 0x71,
};

// A tool begins with the first.
constexpr NamedValue kStates[] = {
    {kStateFirst, "ompt_state_first"},
    {kStateWorkSerial, "ompt_state_work_serial"},
    {kStateWorkParallel, "ompt_state_work_parallel"},
    {kStateWorkReduction, "ompt_state_work_reduction"},
    {kStateIdle, "ompt_state_idle"},
    {kStateOverhead, "ompt_state_overhead"},
    {kStateWaitBarrier, "ompt_state_wait_barrier"},
    {kStateWaitBarrierImplicit, "ompt_state_wait_barrier_implicit"},
    {kStateWaitBarrierExplicit, "ompt_state_wait_barrier_explicit"},
    {kStateWaitTaskwait, "ompt_state_wait_taskwait"},
    {kStateWaitTaskgroup, "ompt_state_wait_taskgroup"},
    {kStateWaitLock, "ompt_state_wait_lock"},
    {kStateWaitNestLock, "ompt_state_wait_nest_lock"},
    {kStateWaitCritical, "ompt_state_wait_critical"},
    {kStateWaitAtomic, "ompt_state_wait_atomic"},
    {kStateWaitOrdered, "ompt_state_wait_ordered"},
    {kStateWaitSingle, "ompt_state_wait_single"},
    {kStateUndefined, "ompt_state_undefined"},
};

}  // namespace

// runtime_shim/README.md has the reasons.
SetResult ResultOf(Event event) {
  switch (event) {
    case kIdleBegin:
    case kIdleEnd:
    case kWorkshareBegin:
    case kWorkshareEnd:
    case kMasterBegin:
    case kMasterEnd:
    case kFlush:
      return kSetImpossible;
    case kLoopBegin:
    case kLoopEnd:
    case kSingleInBlockEnd:
      return kSetSometimes;
    default:
      return event > kNoEvent && event < kEvents ? kSetAlways : kSetError;
  }
}

SyncEvents SyncEventsOf(ompt_sync_region_t kind) {
  switch (kind) {
    case ompt_sync_region_taskwait:
      return {kTaskwaitBegin, kWaitTaskwaitBegin};
    case ompt_sync_region_taskgroup:
      return {kTaskgroupBegin, kWaitTaskgroupBegin};
    case ompt_sync_region_reduction:
      return {kNoEvent, kNoEvent};
    default:
      return {kBarrierBegin, kWaitBarrierBegin};
  }
}

Event WorkEventOf(ompt_work_t kind) {
  switch (kind) {
    case ompt_work_loop:
      return kLoopBegin;
    case ompt_work_sections:
      return kSectionsBegin;
    case ompt_work_single_executor:
      return kSingleInBlockBegin;
    case ompt_work_single_other:
      return kSingleOthersBegin;
    case ompt_work_workshare:
      return kWorkshareBegin;
    default:
      return kNoEvent;
  }
}

MutexEvents MutexEventsOf(ompt_mutex_t kind) {
  switch (kind) {
    case ompt_mutex_lock:
    case ompt_mutex_test_lock:
      return {kWaitLock, kAcquiredLock, kReleaseLock, kInitLock, kDestroyLock};
    case ompt_mutex_nest_lock:
    case ompt_mutex_test_nest_lock:
      return {kWaitNestLock, kAcquiredNestLockFirst, kReleaseNestLockLast, kInitNestLock, kDestroyNestLock};
    case ompt_mutex_critical:
      return {kWaitCritical, kAcquiredCritical, kReleaseCritical, kNoEvent, kNoEvent};
    case ompt_mutex_atomic:
      return {kWaitAtomic, kAcquiredAtomic, kReleaseAtomic, kNoEvent, kNoEvent};
    case ompt_mutex_ordered:
      return {kWaitOrdered, kAcquiredOrdered, kReleaseOrdered, kNoEvent, kNoEvent};
    default:
      return {kNoEvent, kNoEvent, kNoEvent, kNoEvent, kNoEvent};
  }
}

int StateOf(int state, WaitDetail detail) {
  switch (state) {
    case ompt_state_work_serial:
      return kStateWorkSerial;
    case ompt_state_work_parallel:
      return kStateWorkParallel;
    case ompt_state_work_reduction:
      return kStateWorkReduction;
    case ompt_state_wait_barrier_implicit_parallel:
    case ompt_state_wait_barrier_implicit_workshare:
      return kStateWaitBarrierImplicit;
    case ompt_state_wait_barrier_explicit:
      return kStateWaitBarrierExplicit;
    case ompt_state_wait_barrier_implementation:
      return detail == WaitDetail::kSingle ? kStateWaitSingle : kStateWaitBarrier;
    case ompt_state_wait_taskwait:
      return kStateWaitTaskwait;
    case ompt_state_wait_taskgroup:
      return kStateWaitTaskgroup;
    case ompt_state_wait_lock:
      return detail == WaitDetail::kNestLock ? kStateWaitNestLock : kStateWaitLock;
    case ompt_state_wait_critical:
      return kStateWaitCritical;
    case ompt_state_wait_atomic:
      return kStateWaitAtomic;
    case ompt_state_wait_ordered:
      return kStateWaitOrdered;
    case ompt_state_idle:
      return kStateIdle;
    case ompt_state_undefined:
      return kStateUndefined;
    default:
      return kStateOverhead;  // also the waits for devices, which the report does not have
  }
}

int EnumerateState(int current, int* next, const char** next_name) {
  return NextValue(kStates, current, next, next_name);
}

}  // namespace early
}  // namespace gomp_ompt
