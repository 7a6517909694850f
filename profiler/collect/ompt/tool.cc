#include "profiler/collect/ompt/tool.h"

#include <dlfcn.h>
#include <omp-tools.h>
#include <string.h>

#include <atomic>

#include "profiler/collect/exported.h"
#include "profiler/collect/ompt/callbacks.h"
#include "profiler/collect/ompt/entry_points.h"
#include "profiler/collect/session.h"

namespace ompprof::collect {

std::atomic<const EntryPoints*> active_entry_points{nullptr};

namespace {

EntryPoints entry_points;
RuntimeFacts facts;
std::atomic<bool> facts_complete{false};

// Table 4.1 of OpenMP 5.1.
constexpr const char* kEntryPoints[] = {"ompt_enumerate_states",
                                        "ompt_enumerate_mutex_impls",
                                        "ompt_set_callback",
                                        "ompt_get_callback",
                                        "ompt_get_thread_data",
                                        "ompt_get_num_places",
                                        "ompt_get_place_proc_ids",
                                        "ompt_get_place_num",
                                        "ompt_get_partition_place_nums",
                                        "ompt_get_proc_id",
                                        "ompt_get_state",
                                        "ompt_get_parallel_info",
                                        "ompt_get_task_info",
                                        "ompt_get_task_memory",
                                        "ompt_get_num_devices",
                                        "ompt_get_num_procs",
                                        "ompt_get_target_info",
                                        "ompt_get_unique_id",
                                        "ompt_finalize_tool"};

template <typename Function>
void Bind(ompt_function_lookup_t lookup, const char* name, Function* out) {
  *out = reinterpret_cast<Function>(lookup(name));
}

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

void FindRuntimeCode(uintptr_t address) {
  dl_find_object object;
  if (_dl_find_object(reinterpret_cast<void*>(address), &object) != 0) return;
  session.runtime_high.store(reinterpret_cast<uintptr_t>(object.dlfo_map_end), std::memory_order_relaxed);
  session.runtime_low.store(reinterpret_cast<uintptr_t>(object.dlfo_map_start), std::memory_order_relaxed);
}

int Initialize(ompt_function_lookup_t lookup, int, ompt_data_t*) {
  if (!session.active.load(std::memory_order_acquire)) return 0;
  Bind(lookup, "ompt_enumerate_states", &entry_points.enumerate_states);
  Bind(lookup, "ompt_enumerate_mutex_impls", &entry_points.enumerate_mutex_impls);
  Bind(lookup, "ompt_set_callback", &entry_points.set_callback);
  Bind(lookup, "ompt_get_state", &entry_points.get_state);
  Bind(lookup, "ompt_get_parallel_info", &entry_points.get_parallel_info);
  Bind(lookup, "ompt_get_task_info", &entry_points.get_task_info);
  Bind(lookup, "ompt_finalize_tool", &entry_points.finalize_tool);
  for (const char* name : kEntryPoints) {
    if (lookup(name) == nullptr) facts.missing[facts.missing_count++] = name;
  }
  if (entry_points.set_callback == nullptr) return 0;
  facts.state_count = EnumerateAll(entry_points.enumerate_states, ompt_state_undefined, facts.states);
  facts.mutex_impl_count = EnumerateAll(entry_points.enumerate_mutex_impls, 0, facts.mutex_impls);
  facts.code = reinterpret_cast<uintptr_t>(entry_points.set_callback);
  FindRuntimeCode(facts.code);
  RegisterCallbacks(entry_points.set_callback);
  active_entry_points.store(&entry_points, std::memory_order_release);
  facts_complete.store(true, std::memory_order_release);
  return 1;
}

void Finalize(ompt_data_t*) { DeactivateTool(); }

ompt_start_tool_result_t start_result = {Initialize, Finalize, {0}};

}  // namespace

const RuntimeFacts* Facts() { return facts_complete.load(std::memory_order_acquire) ? &facts : nullptr; }

void DeactivateTool() { active_entry_points.store(nullptr, std::memory_order_release); }

}  // namespace ompprof::collect

OMPPROF_EXPORT ompt_start_tool_result_t* ompt_start_tool(unsigned int omp_version, const char* runtime_version) {
  using namespace ompprof::collect;
  if (!session.active.load(std::memory_order_acquire) || ActiveEntryPoints() != nullptr) return nullptr;
  facts.omp_version = omp_version;
  strncpy(facts.version, runtime_version != nullptr ? runtime_version : "", sizeof(facts.version) - 1);
  return &start_result;
}
