#include "profiler/analyze/omp_state.h"

#include <cstdio>

namespace ompprof::analyze {
namespace {

struct State {
  uint32_t value;
  const char* name;
  const char* frame;  // null: not a wait
};

constexpr State kStates[] = {
    {0x000, "ompt_state_work_serial", nullptr},
    {0x001, "ompt_state_work_parallel", nullptr},
    {0x002, "ompt_state_work_reduction", "<omp reduction>"},
    {0x010, "ompt_state_wait_barrier", "<omp barrier: implicit>"},
    {0x011, "ompt_state_wait_barrier_implicit_parallel", "<omp barrier: implicit>"},
    {0x012, "ompt_state_wait_barrier_implicit_workshare", "<omp barrier: implicit>"},
    {0x013, "ompt_state_wait_barrier_implicit", "<omp barrier: implicit>"},
    {0x014, "ompt_state_wait_barrier_explicit", "<omp barrier: explicit>"},
    {0x015, "ompt_state_wait_barrier_implementation", "<omp barrier: implicit>"},
    {0x016, "ompt_state_wait_barrier_teams", "<omp barrier: implicit>"},
    {0x020, "ompt_state_wait_taskwait", "<omp taskwait>"},
    {0x021, "ompt_state_wait_taskgroup", "<omp taskgroup>"},
    {0x040, "ompt_state_wait_mutex", "<omp lock>"},
    {0x041, "ompt_state_wait_lock", "<omp lock>"},
    {0x042, "ompt_state_wait_critical", "<omp critical>"},
    {0x043, "ompt_state_wait_atomic", "<omp atomic>"},
    {0x044, "ompt_state_wait_ordered", "<omp ordered>"},
    {0x080, "ompt_state_wait_target", "<omp target>"},
    {0x081, "ompt_state_wait_target_map", "<omp target>"},
    {0x082, "ompt_state_wait_target_update", "<omp target>"},
    {0x100, "ompt_state_idle", nullptr},
    {0x101, "ompt_state_overhead", nullptr},
    {0x102, "ompt_state_undefined", nullptr},
};

}  // namespace

std::string StateName(const ProcessFacts& process, uint32_t state_plus_1) {
  if (state_plus_1 == 0) return "no_ompt_state";
  const uint32_t state = state_plus_1 - 1;
  if (state == kStateOwn) return "ompprof";
  const auto enumerated = process.states.find(state);
  if (enumerated != process.states.end()) return enumerated->second;
  for (const State& known : kStates) {
    if (known.value == state) return known.name;
  }
  char name[32];
  std::snprintf(name, sizeof name, "ompt_state_0x%03x", state);
  return name;
}

const char* WorkName(uint32_t type) {
  static const char* const kNames[] = {
      "?",        "loop",  "sections", "single",       "single",        "workshare",    "distribute",
      "taskloop", "scope", "?",        "loop: static", "loop: dynamic", "loop: guided", "loop"};
  return type < sizeof(kNames) / sizeof(kNames[0]) ? kNames[type] : "?";
}

WaitKind KindOfWait(uint32_t state) {
  if (state == 0x011) return WaitKind::kRegionEnd;
  if (state >= kFirstBarrier && state <= kLastBarrier) return WaitKind::kBarrier;
  if (state == 0x020 || state == 0x021) return WaitKind::kTasks;
  if (state >= 0x040 && state <= 0x044) return WaitKind::kLock;
  if (state == kStateIdle) return WaitKind::kIdle;
  return WaitKind::kNone;
}

const char* WaitingFrame(uint32_t state) {
  for (const State& known : kStates) {
    if (known.value == state) return known.frame;
  }
  return nullptr;
}

}  // namespace ompprof::analyze
