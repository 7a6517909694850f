// The functions by which the entry points ask the runtime. gomp/queries.cc fills them in before a tool is started, so a
// signal handler looks nothing up. A pointer is NULL if the runtime is too old to have the function.
#ifndef RUNTIME_SHIM_OMPT_RUNTIME_QUERIES_H_
#define RUNTIME_SHIM_OMPT_RUNTIME_QUERIES_H_

#include <atomic>

#include "runtime_shim/ompt/tool_state.h"

namespace gomp_ompt {

struct Thread;

struct RuntimeQueries {
  int (*num_places)();
  int (*place_num_procs)(int place);
  void (*place_proc_ids)(int place, int* ids);
  int (*place_num)();
  int (*partition_num_places)();
  void (*partition_place_nums)(int* places);
  int (*num_threads)();  // only in the implicit tasks of a region
  // Makes the workers of the calling thread's pool report their ends. Set with each thread's first pool
  // (gomp/region.cc).
  std::atomic<void (*)()> end_workers;
  // Reports the ends of target regions that the thread's initial task has deferred. Set with the first of them.
  std::atomic<void (*)(Thread&)> end_targets;
  // Stops the traces of all devices, so the tool gets all records. Set with the first device.
  std::atomic<void (*)()> stop_devices;
  // Whether the calling thread belongs to a device: its OpenMP is not the host's. Set with the first such device.
  std::atomic<bool (*)()> is_device_thread;
  // The runtimes of which the shim sees what they ask of their devices (gomp/plugin_loading.h).
  bool watches_devices;
  int num_procs;
  unsigned omp_version;      // _OPENMP of the runtime
  const char* version_text;  // names the runtime, and lives as long as the process
};

extern RuntimeQueries runtime_queries;

// Whether the entry points may ask the runtime for the size of a team.
inline bool CanAskForTeamSize() {
  return runtime_queries.num_threads != nullptr && tool_mode.load(std::memory_order_relaxed) == Mode::kOn;
}

// The number of devices, as far as the program has asked (gomp/plugin_calls.cc). A count makes libgomp load its offload
// plugins and start the drivers, and a tool is no reason for that.
extern std::atomic<int> known_devices;

}  // namespace gomp_ompt

#endif  // RUNTIME_SHIM_OMPT_RUNTIME_QUERIES_H_
