// A deferred target construct as the executor of a task, which threads of its creator's team wait for. The construct
// executes its task on a device, while no thread does. So it is one more executing member of the team's clock, and owes
// what a thread in its place would owe. Threads that wait for tasks charge it, and at barriers it shares the charge
// with the threads that work.
//
// Outside of regions there is no team. There, a clock for the process has the threads that wait for tasks, and these
// constructs.
#ifndef OMPPROF_PROFILER_COLLECT_BLAME_DEVICE_DEBT_H_
#define OMPPROF_PROFILER_COLLECT_BLAME_DEVICE_DEBT_H_

#include <stdint.h>

#include <atomic>

#include "profiler/collect/blame/blame_clock.h"
#include "profiler/collect/tasks/region.h"

namespace ompprof::collect {

// The debt of one construct, between its begin and its end.
struct DeviceDebt {
  bool counted;  // false: nothing is owed
  RegionRef region;
  uint32_t instance;  // of the region's team
  double at_begin;
};

// The calls of OMPT callbacks, of any thread. `region`: of the task's creator; 0: none. In a team whose waits are
// estimated, devices owe nothing.
void DeviceBegins(RegionRef region, uint64_t now_ns, DeviceDebt* debt);
// Returns the debt in nanoseconds.
uint64_t DeviceEnds(DeviceDebt* debt, uint64_t now_ns);

// The tasks outside of regions.
struct SerialTasks {
  BlameClock clock;
  std::atomic<bool> in_use;  // a deferred target construct has begun

  // `more` threads wait for tasks at `now_ns`; below 0, threads go on.
  void AddWaiting(int32_t more, uint64_t now_ns);
  // For a forked child.
  void Forget();
};
extern SerialTasks serial_tasks;

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_BLAME_DEVICE_DEBT_H_
