#include "profiler/collect/ompt/generation.h"

#include "profiler/collect/ompt/bind.h"
#include "profiler/collect/ompt/tr2_adapter.h"
#include "profiler/collect/ompt/tr6_adapter.h"

namespace ompprof::collect {
namespace {

// Table 4.1 of OpenMP 5.1.
constexpr const char* kFiveNames[] = {"ompt_enumerate_states",
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

// "OMPT callback interface runtime entry point names" of Technical Report 6.
constexpr const char* kTr6Names[] = {"ompt_enumerate_states",
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
                                     "ompt_get_target_info",
                                     "ompt_get_num_devices",
                                     "ompt_get_unique_id"};

// Technical Report 2, A.4.
constexpr const char* kTr2Names[] = {
    "ompt_set_callback", "ompt_get_callback",   "ompt_enumerate_state", "ompt_get_thread_id",
    "ompt_get_state",    "ompt_get_idle_frame", "ompt_get_parallel_id", "ompt_get_parallel_team_size",
    "ompt_get_task_id",  "ompt_get_task_frame"};

template <uint32_t kCount>
EntryPointNames All(const char* const (&names)[kCount]) {
  return {names, kCount};
}

void BindFive(ompt_function_lookup_t lookup, EntryPoints* entry_points) {
  Bind(lookup, "ompt_enumerate_states", &entry_points->enumerate_states);
  Bind(lookup, "ompt_enumerate_mutex_impls", &entry_points->enumerate_mutex_impls);
  Bind(lookup, "ompt_set_callback", &entry_points->set_callback);
  Bind(lookup, "ompt_get_state", &entry_points->get_state);
  Bind(lookup, "ompt_get_parallel_info", &entry_points->get_parallel_info);
  Bind(lookup, "ompt_get_task_info", &entry_points->get_task_info);
  Bind(lookup, "ompt_finalize_tool", &entry_points->finalize_tool);
  entry_points->read_frame = nullptr;
}

}  // namespace

Generation GenerationOf(ompt_function_lookup_t lookup, const ompt_start_tool_result_t& result,
                        const InitializerArguments& arguments) {
  const auto start = reinterpret_cast<uintptr_t>(&result);
  const auto data = reinterpret_cast<uintptr_t>(&result.tool_data);
  // initialize(lookup, ompt_fns_t*): the object itself, whose first members are ompt_fns_t's.
  if (arguments.second == start) return Generation::kTr6;
  // initialize(lookup, ompt_data_t* tool_data).
  if (arguments.second == data) return Generation::kTr6Late;
  // initialize(lookup, int initial_device_num, ompt_data_t* tool_data). A tool that passes events on to several tools
  // may give each of them other data.
  if (arguments.third == data || lookup("ompt_finalize_tool") != nullptr) return Generation::kFive;
  return Generation::kUnknown;
}

const char* GenerationName(Generation generation) {
  switch (generation) {
    case Generation::kTr2:
      return "tr2";
    case Generation::kDraft:
      return "draft";
    case Generation::kTr6:
    case Generation::kTr6Late:
      return "tr6";
    case Generation::kFive:
      return "5.x";
    case Generation::kUnknown:
      break;
  }
  return nullptr;
}

EntryPointNames EntryPointsOf(Generation generation) {
  switch (generation) {
    case Generation::kTr2:
    case Generation::kDraft:
      return All(kTr2Names);
    case Generation::kTr6:
    case Generation::kTr6Late:
      return All(kTr6Names);
    case Generation::kFive:
    case Generation::kUnknown:
      break;
  }
  return All(kFiveNames);
}

void BindEntryPoints(Generation generation, int runtime, ompt_function_lookup_t lookup, void (*finalize)(),
                     EntryPoints* entry_points) {
  switch (generation) {
    case Generation::kTr2:
    case Generation::kDraft:
      return BindTr2(lookup, /*reenters_as_runtime=*/generation == Generation::kTr2, finalize, entry_points);
    case Generation::kTr6:
    case Generation::kTr6Late:
      return BindTr6(runtime, lookup, /*own_numbers=*/generation == Generation::kTr6, entry_points);
    case Generation::kFive:
    case Generation::kUnknown:
      break;
  }
  BindFive(lookup, entry_points);
}

}  // namespace ompprof::collect
