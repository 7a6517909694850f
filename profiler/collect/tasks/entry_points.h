// The OpenMP runtimes' OMPT entry points, as their lookups gave them (Table 4.1 of OpenMP 5.1).
//
// A process may have two runtimes, each with threads, tasks and regions of its own: libomp, because a library was
// compiled by clang, and GCC's libgomp under a shim. A thread may be known to both, and be in a region of one inside a
// region of the other.
#ifndef OMPPROF_PROFILER_COLLECT_TASKS_ENTRY_POINTS_H_
#define OMPPROF_PROFILER_COLLECT_TASKS_ENTRY_POINTS_H_

#include <omp-tools.h>

#include <atomic>

namespace ompprof::collect {

// Numbered in the order in which they ask for the tool.
inline constexpr int kMaxRuntimes = 2;

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

// By runtime. From ompt initialize to finalize, else NULL. Async-signal-safe.
extern std::atomic<const EntryPoints*> active_entry_points[kMaxRuntimes];
inline const EntryPoints* ActiveEntryPoints(int runtime) {
  return active_entry_points[runtime].load(std::memory_order_acquire);
}

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_TASKS_ENTRY_POINTS_H_
