#include "profiler/collect/ompt/tool.h"

#include <dlfcn.h>
#include <omp-tools.h>
#include <sched.h>
#include <stddef.h>
#include <string.h>

#include <atomic>

#include "profiler/collect/base/loaded_objects.h"
#include "profiler/collect/base/notes.h"
#include "profiler/collect/ompt/bind.h"
#include "profiler/collect/ompt/callbacks.h"
#include "profiler/collect/ompt/generation.h"
#include "profiler/collect/ompt/runtime_facts.h"
#include "profiler/collect/quirks/libgomp.h"
#include "profiler/collect/quirks/libomp.h"
#include "profiler/collect/quirks/libomp_lock_tests.h"
#include "profiler/collect/quirks/libomp_loop_kinds.h"
#include "profiler/collect/tasks/entry_points.h"
#include "profiler/collect/tasks/offload_code.h"
#include "profiler/collect/tasks/region.h"
#include "profiler/collect/tasks/runtime_code.h"
#include "profiler/collect/thread/session.h"

namespace ompprof::collect {

namespace {

// A runtime that has asked for the tool.
struct Slot {
  EntryPoints entry_points;
  bool taken;
  uint16_t session;  // region_session at that time
};

Slot slots[kMaxRuntimes];
std::atomic<bool> slots_locked{false};

template <typename Enumerate>
uint32_t EnumerateAll(Enumerate enumerate, int first, RuntimeFacts::Enumerator* out) {
  if (enumerate == nullptr) return 0;
  uint32_t count = 0;
  int current = first;
  int next;
  const char* name;
  while (count < RuntimeFacts::kMaxEnumerators && enumerate(current, &next, &name) != 0) {
    out[count++] = {name, next};
    current = next;
  }
  return count;
}

// Marks the object at `address` as the runtime's code.
void AddRuntimeCode(uintptr_t address, RuntimeCode::Calls calls) {
  LoadedObject object;
  if (IsInProgram(address) || !FindLoadedObject(address, &object)) return;
  session.runtime_code.Add(object.start, object.end, calls);
}

void LearnFacts(ompt_function_lookup_t lookup, Generation generation, const EntryPoints& entry_points,
                RuntimeFacts* facts) {
  facts->generation = GenerationName(generation);
  const EntryPointNames names = EntryPointsOf(generation);
  for (uint32_t i = 0; i < names.count; ++i) {
    if (lookup(names.names[i]) == nullptr) facts->missing[facts->missing_count++] = names.names[i];
  }
  facts->state_count = EnumerateAll(entry_points.enumerate_states, ompt_state_undefined, facts->states);
  facts->mutex_impl_count = EnumerateAll(entry_points.enumerate_mutex_impls, 0, facts->mutex_impls);
  facts->code = reinterpret_cast<uintptr_t>(lookup("ompt_set_callback"));
  AddRuntimeCode(facts->code, RuntimeCode::Calls::kItsOwn);
  AddOffloadCode(&session.runtime_code);
  if (!IsGomp(*facts)) return libomp::FindLockTests(facts->code);
  if (const uintptr_t behind_shim = libgomp::Code()) AddRuntimeCode(behind_shim, RuntimeCode::Calls::kTasks);
}

// False if the request would make the runtime print something.
bool MayAskForWorksharing(const RuntimeFacts& facts, bool first_time) {
  if (!session.config.waits || IsGomp(facts) || !libomp::HasLoopsOfUnknownKind()) return true;
  if (first_time)
    AddNote(
        "worksharing constructs are not counted. The program's compiler (most likely LLVM's flang) does not tell the "
        "OpenMP runtime the kinds of its loops, and the runtime would print a warning on standard error");
  return false;
}

// The object that ompt_start_tool returns: ompt_start_tool_result_t, whose beginning is the older ompt_fns_t. The
// initializer takes its arguments as registers have them, because generations pass different ones.
struct StartResult {
  int (*initialize)(ompt_function_lookup_t lookup, uintptr_t second, uintptr_t third);
  void (*finalize)(void* any);
  ompt_data_t tool_data;
};
static_assert(sizeof(StartResult) == sizeof(ompt_start_tool_result_t) &&
              offsetof(StartResult, tool_data) == offsetof(ompt_start_tool_result_t, tool_data));
ompt_start_tool_result_t* StartResultOf(int runtime);

void LeaveOlder();

// Without markers, a worker's stack would be the runtime's from its first frame on, with exit() and all that it calls.
void Leave(int runtime) {
  active_entry_points[runtime].store(nullptr, std::memory_order_release);
  session.runtime_code.Set(known_runtimes[runtime].facts.code, RuntimeCode::Calls::kTasks);
}

template <int kRuntime>
void Finalize(void*) {
  Leave(kRuntime);
}

// Registers the tool with a runtime. Returns 1 if the tool is active, as an initializer does.
int Join(int runtime, Generation generation, ompt_function_lookup_t lookup) {
  KnownRuntime& known = known_runtimes[runtime];
  EntryPoints& entry_points = slots[runtime].entry_points;
  if (generation == Generation::kUnknown) {
    AddNote(
        "the OpenMP runtime '%s' speaks an unknown generation of OMPT. The profile has plain machine stacks, no "
        "regions "
        "and no states",
        known.facts.version);
    return 0;
  }
  BindEntryPoints(generation, runtime, lookup, LeaveOlder, &entry_points);
  if (entry_points.set_callback == nullptr) return 0;
  entry_points.takes_null = libomp::MustNotBeAskedForNumbers(known.facts.version);
  // A runtime that starts its tool again (in a forked child) has told all facts before.
  int results[kRegistrations];
  const bool first_time = !known.complete.load(std::memory_order_relaxed);
  if (first_time) LearnFacts(lookup, generation, entry_points, &known.facts);
  RegisterCallbacks(runtime, entry_points.set_callback, MayAskForWorksharing(known.facts, first_time),
                    first_time ? known.facts.callback_results : results);
  session.runtime_code.Set(known.facts.code, RuntimeCode::Calls::kItsOwn);
  active_entry_points[runtime].store(&entry_points, std::memory_order_release);
  known.complete.store(true, std::memory_order_release);
  return 1;
}

template <int kRuntime>
int Initialize(ompt_function_lookup_t lookup, uintptr_t second, uintptr_t third) {
  if (!session.active.load(std::memory_order_acquire)) return 0;
  return Join(kRuntime, GenerationOf(lookup, *StartResultOf(kRuntime), {second, third}), lookup);
}

StartResult start_results[kMaxRuntimes] = {{Initialize<0>, Finalize<0>, {0}}, {Initialize<1>, Finalize<1>, {0}}};

ompt_start_tool_result_t* StartResultOf(int runtime) {
  return reinterpret_cast<ompt_start_tool_result_t*>(&start_results[runtime]);
}

// The number of the runtime that asks; -1 if there are too many runtimes. A runtime that had the tool before gets its
// old number, if it has finished the tool or the process was forked since.
int NumberOf(const char* version) {
  const uint16_t now = region_session.load(std::memory_order_relaxed);
  for (int runtime = 0; runtime < kMaxRuntimes; ++runtime) {
    Slot& slot = slots[runtime];
    if (slot.taken && (strcmp(known_runtimes[runtime].facts.version, version) != 0 ||
                       (ActiveEntryPoints(runtime) != nullptr && slot.session == now)))
      continue;
    Leave(runtime);
    slot.taken = true;
    slot.session = now;
    return runtime;
  }
  return -1;
}

// The number of the runtime, which is new or comes again; -1 if there is no session, or if there are too many runtimes.
int Admit(unsigned int omp_version, const char* runtime_version) {
  if (!session.active.load(std::memory_order_acquire)) return -1;
  char version[sizeof RuntimeFacts::version] = "";
  if (runtime_version != nullptr) strncpy(version, runtime_version, sizeof(version) - 1);
  while (slots_locked.exchange(true, std::memory_order_acquire)) sched_yield();
  const int runtime = NumberOf(version);
  if (runtime >= 0) {
    known_runtimes[runtime].facts.omp_version = omp_version;
    memcpy(known_runtimes[runtime].facts.version, version, sizeof version);
  }
  slots_locked.store(false, std::memory_order_release);
  if (runtime < 0)
    AddNote("the process has more than %d OpenMP runtimes: '%s' is profiled without regions and states", kMaxRuntimes,
            version);
  return runtime;
}

// The runtime with the adapter for generations before TR6, which serves one runtime; -1: none.
std::atomic<int> older_runtime{-1};

void LeaveOlder() { Leave(older_runtime.load()); }

}  // namespace

void DeactivateTool() {
  for (auto& active : active_entry_points) active.store(nullptr, std::memory_order_release);
}

void FinalizeShims() {
  for (int runtime = 0; runtime < kMaxRuntimes; ++runtime) {
    const auto finalize = IsShim(runtime) ? slots[runtime].entry_points.finalize_tool : nullptr;
    if (finalize != nullptr) finalize();
  }
}

ompt_start_tool_result_t* StartTool(unsigned int omp_version, const char* runtime_version) {
  const int runtime = Admit(omp_version, runtime_version);
  return runtime >= 0 ? StartResultOf(runtime) : nullptr;
}

int StartOlderTool(Generation generation, ompt_function_lookup_t lookup, const char* runtime_version) {
  const int runtime = Admit(0, runtime_version);
  if (runtime < 0) return 0;
  const int before = older_runtime.exchange(runtime);
  if (before >= 0 && before != runtime && ActiveEntryPoints(before) != nullptr) {
    older_runtime.store(before);
    AddNote(
        "the process has several OpenMP runtimes older than OpenMP 5.0: '%s' is profiled without regions and states",
        known_runtimes[runtime].facts.version);
    return 0;
  }
  return Join(runtime, generation, lookup);
}

}  // namespace ompprof::collect
