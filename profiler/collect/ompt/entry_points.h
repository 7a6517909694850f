// The runtime's OMPT entry points, as its lookup gave them (Table 4.1 of OpenMP 5.1).
#ifndef OMPPROF_PROFILER_COLLECT_OMPT_ENTRY_POINTS_H_
#define OMPPROF_PROFILER_COLLECT_OMPT_ENTRY_POINTS_H_

#include <omp-tools.h>

#include <atomic>

namespace ompprof::collect {

// Those that a runtime lacks are NULL.
struct EntryPoints {
  ompt_enumerate_states_t enumerate_states;
  ompt_enumerate_mutex_impls_t enumerate_mutex_impls;
  ompt_set_callback_t set_callback;
  ompt_get_state_t get_state;
  ompt_get_parallel_info_t get_parallel_info;
  ompt_get_task_info_t get_task_info;
  ompt_finalize_tool_t finalize_tool;
};

// From ompt initialize to finalize, else NULL. Async-signal-safe.
extern std::atomic<const EntryPoints*> active_entry_points;
inline const EntryPoints* ActiveEntryPoints() { return active_entry_points.load(std::memory_order_acquire); }

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_OMPT_ENTRY_POINTS_H_
