#include "profiler/analyze/omp_state.h"
#include "profiler/analyze/state_kind.h"

#include <cstdio>

namespace ompprof::analyze {
namespace {

struct State {
  OmptState value;
  const char* name;
  const char* frame;  // null: not a wait
};

constexpr State kStates[] = {
    {OmptState::kWorkSerial, "ompt_state_work_serial", nullptr},
    {OmptState::kWorkParallel, "ompt_state_work_parallel", nullptr},
    {OmptState::kWorkReduction, "ompt_state_work_reduction", "<omp reduction>"},
    {OmptState::kWaitBarrier, "ompt_state_wait_barrier", "<omp barrier: implicit>"},
    {OmptState::kWaitBarrierImplicitParallel, "ompt_state_wait_barrier_implicit_parallel", "<omp barrier: implicit>"},
    {OmptState::kWaitBarrierImplicitWorkshare, "ompt_state_wait_barrier_implicit_workshare", "<omp barrier: implicit>"},
    {OmptState::kWaitBarrierImplicit, "ompt_state_wait_barrier_implicit", "<omp barrier: implicit>"},
    {OmptState::kWaitBarrierExplicit, "ompt_state_wait_barrier_explicit", "<omp barrier: explicit>"},
    {OmptState::kWaitBarrierImplementation, "ompt_state_wait_barrier_implementation", "<omp barrier: implicit>"},
    {OmptState::kWaitBarrierTeams, "ompt_state_wait_barrier_teams", "<omp barrier: implicit>"},
    {OmptState::kWaitTaskwait, "ompt_state_wait_taskwait", "<omp taskwait>"},
    {OmptState::kWaitTaskgroup, "ompt_state_wait_taskgroup", "<omp taskgroup>"},
    {OmptState::kWaitMutex, "ompt_state_wait_mutex", "<omp lock>"},
    {OmptState::kWaitLock, "ompt_state_wait_lock", "<omp lock>"},
    {OmptState::kWaitCritical, "ompt_state_wait_critical", "<omp critical>"},
    {OmptState::kWaitAtomic, "ompt_state_wait_atomic", "<omp atomic>"},
    {OmptState::kWaitOrdered, "ompt_state_wait_ordered", "<omp ordered>"},
    {OmptState::kWaitTarget, "ompt_state_wait_target", "<omp target>"},
    {OmptState::kWaitTargetMap, "ompt_state_wait_target_map", "<omp target>"},
    {OmptState::kWaitTargetUpdate, "ompt_state_wait_target_update", "<omp target>"},
    {OmptState::kIdle, "ompt_state_idle", nullptr},
    {OmptState::kOverhead, "ompt_state_overhead", nullptr},
    {OmptState::kUndefined, "ompt_state_undefined", nullptr},
};

}  // namespace

std::string StateName(const ProcessFacts& process, OmptState state) {
  if (state == OmptState::kNone) return "no_ompt_state";
  if (state == kStateOwn) return "ompprof";
  if (state == kStateLibraryWait) return "library_wait";
  const auto number = static_cast<uint32_t>(state);
  const auto enumerated = process.states.find(number);
  if (enumerated != process.states.end()) return enumerated->second;
  for (const State& known : kStates) {
    if (known.value == state) return known.name;
  }
  char name[32];
  std::snprintf(name, sizeof name, "ompt_state_0x%03x", number);
  return name;
}

const char* WorkName(uint32_t type) {
  static const char* const kNames[] = {
      "?",        "loop",  "sections", "single",       "single",        "workshare",    "distribute",
      "taskloop", "scope", "?",        "loop: static", "loop: dynamic", "loop: guided", "loop"};
  return type < sizeof(kNames) / sizeof(kNames[0]) ? kNames[type] : "?";
}

const char* WaitingFrame(OmptState state) {
  for (const State& known : kStates) {
    if (known.value == state) return known.frame;
  }
  return nullptr;
}

}  // namespace ompprof::analyze
