#include "profiler/analyze/view/omp_state.h"

#include <algorithm>
#include <cstdio>
#include <iterator>

#include "profiler/analyze/view/state_kind.h"

namespace ompprof::analyze {
namespace {

struct State {
  OmptState value;
  const char* name;
  const char* plain;
  const char* frame;  // null: not a wait
};

constexpr State kStates[] = {
    {OmptState::kWorkSerial, "ompt_state_work_serial", "serial work", nullptr},
    {OmptState::kWorkParallel, "ompt_state_work_parallel", "work in regions", nullptr},
    {OmptState::kWorkReduction, "ompt_state_work_reduction", "reduction", "<omp reduction>"},
    {OmptState::kWaitBarrier, "ompt_state_wait_barrier", "barrier", "<omp barrier: implicit>"},
    {OmptState::kWaitBarrierImplicitParallel, "ompt_state_wait_barrier_implicit_parallel", "barrier at a region's end",
     "<omp barrier: implicit>"},
    {OmptState::kWaitBarrierImplicitWorkshare, "ompt_state_wait_barrier_implicit_workshare",
     "barrier after worksharing", "<omp barrier: implicit>"},
    {OmptState::kWaitBarrierImplicit, "ompt_state_wait_barrier_implicit", "implicit barrier",
     "<omp barrier: implicit>"},
    {OmptState::kWaitBarrierExplicit, "ompt_state_wait_barrier_explicit", "explicit barrier",
     "<omp barrier: explicit>"},
    {OmptState::kWaitBarrierImplementation, "ompt_state_wait_barrier_implementation", "barrier of the runtime's own",
     "<omp barrier: implicit>"},
    {OmptState::kWaitBarrierTeams, "ompt_state_wait_barrier_teams", "barrier of teams", "<omp barrier: implicit>"},
    {OmptState::kWaitTaskwait, "ompt_state_wait_taskwait", "taskwait", "<omp taskwait>"},
    {OmptState::kWaitTaskgroup, "ompt_state_wait_taskgroup", "taskgroup", "<omp taskgroup>"},
    {OmptState::kWaitMutex, "ompt_state_wait_mutex", "mutex", "<omp lock>"},
    {OmptState::kWaitLock, "ompt_state_wait_lock", "lock", "<omp lock>"},
    {OmptState::kWaitCritical, "ompt_state_wait_critical", "critical", "<omp critical>"},
    {OmptState::kWaitAtomic, "ompt_state_wait_atomic", "atomic", "<omp atomic>"},
    {OmptState::kWaitOrdered, "ompt_state_wait_ordered", "ordered", "<omp ordered>"},
    {OmptState::kWaitTarget, "ompt_state_wait_target", "target", "<omp target>"},
    {OmptState::kWaitTargetMap, "ompt_state_wait_target_map", "target map", "<omp target>"},
    {OmptState::kWaitTargetUpdate, "ompt_state_wait_target_update", "target update", "<omp target>"},
    {OmptState::kIdle, "ompt_state_idle", "idle between regions", nullptr},
    {OmptState::kOverhead, "ompt_state_overhead", "overhead in the runtime", nullptr},
    {OmptState::kUndefined, "ompt_state_undefined", "unknown", nullptr},
};

}  // namespace

std::string StateName(const ProcessFacts& process, OmptState state) {
  if (state == OmptState::kNone) return "no_ompt_state";
  if (state == kStateOwn) return "ompprof";
  if (state == kStateLibraryWait) return "library_wait";
  if (state == kStateMpi) return "mpi";
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

std::string PlainStateName(const std::string& name) {
  if (name == "no_ompt_state") return "not an OpenMP thread";
  if (name == "library_wait") return "waiting outside OpenMP";
  if (name == "mpi") return "in MPI";
  for (const State& known : kStates) {
    if (known.name == name) return known.plain;
  }
  std::string plain = name.rfind("ompt_state_", 0) == 0 ? name.substr(sizeof "ompt_state_" - 1) : name;
  std::replace(plain.begin(), plain.end(), '_', ' ');
  return plain;
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

bool StandsForWaiting(const std::string& function) {
  if (function == "<omp idle>" || function.rfind("<waiting: ", 0) == 0) return true;
  return std::any_of(std::begin(kStates), std::end(kStates), [&](const State& known) {
    return known.frame != nullptr && function == known.frame && IsMeasuredWait(known.value);
  });
}

}  // namespace ompprof::analyze
