// The OMPT entry points of the OpenMP runtimes, from the runtimes' lookup functions (Table 4.1 of OpenMP 5.1).
//
// A process may have two runtimes, each with its own threads, tasks and regions. They are libomp, because clang
// compiled a library, and GCC's libgomp under a shim. Both may know a thread, and the thread may be in a region of one
// runtime inside a region of the other.
#ifndef OMPPROF_PROFILER_COLLECT_TASKS_ENTRY_POINTS_H_
#define OMPPROF_PROFILER_COLLECT_TASKS_ENTRY_POINTS_H_

#include <omp-tools.h>

#include <atomic>

namespace ompprof::collect {

// Runtimes are numbered in the order in which they ask for the tool.
inline constexpr int kMaxRuntimes = 2;

// Entry points that a runtime lacks are NULL.
struct EntryPoints {
  ompt_enumerate_states_t enumerate_states;
  ompt_enumerate_mutex_impls_t enumerate_mutex_impls;
  ompt_set_callback_t set_callback;
  ompt_get_state_t get_state;
  ompt_get_parallel_info_t get_parallel_info;
  ompt_get_task_info_t get_task_info;
  ompt_finalize_tool_t finalize_tool;
  // Reads a frame from ompt_get_task_info. NULL: the frame is as in omp-tools.h. Async-signal-safe.
  ompt_frame_t (*read_frame)(const ompt_frame_t* frame);
  bool takes_null;  // ompt_get_task_info: NULL for thread_num means that nobody asks for it
};

// By runtime. Set from ompt initialize to finalize, otherwise NULL. Async-signal-safe.
extern std::atomic<const EntryPoints*> active_entry_points[kMaxRuntimes];
inline const EntryPoints* ActiveEntryPoints(int runtime) {
  return active_entry_points[runtime].load(std::memory_order_acquire);
}

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_TASKS_ENTRY_POINTS_H_
