// The runtimes, regions and tasks of one thread, as its OMPT callbacks tell.
#ifndef OMPPROF_PROFILER_COLLECT_TASKS_THREAD_TASKS_H_
#define OMPPROF_PROFILER_COLLECT_TASKS_THREAD_TASKS_H_

#include <stdint.h>

#include <atomic>

#include "profiler/collect/blame/team.h"
#include "profiler/collect/tasks/region.h"
#include "profiler/collect/tasks/region_stats.h"
#include "profiler/collect/tasks/work_stats.h"

namespace ompprof::collect {

inline constexpr uint32_t kOmptEvents = 38;  // ompt_callbacks_t values are below this

struct NumberedTasks;

// Equal to no stamp of the window clock.
inline constexpr uint32_t kNeverQuiet = UINT32_MAX;

// An implicit task that a thread is in.
struct OpenTask {
  RegionRef region;
  uint64_t begin_ns;
  uint64_t waited_before_ns;  // ThreadWaits::waited_ns at its begin
  uint32_t team_size;
  uint32_t thread_num;
  Team::Membership membership;
  uint32_t wait_base;   // number of waits that the thread was already inside of
  uint64_t arrived_ns;  // arrival at the barrier at its end; 0: not yet
  double
      debt_read;  // the debt on the team's blame clock that the thread has added to its own; below 0: none is added now
  TeamMember* member;          // the thread's place in the team; NULL: there was no memory for it
  uint32_t quiet_stamp;        // the window clock's stamp when the thread found the clock quiet (quiet_waits.h)
  const void* data = nullptr;  // the task's data word; NULL: not known
  bool made_tasks = false;     // the thread has made tasks, here or in a task within, since this task's last taskwait

  void Publish(Participation participation) {
    if (member != nullptr) member->Publish(membership.instance, participation);
  }
};

// Written by the thread's own callbacks. The writer reads `events` and the tables at any time.
struct ThreadTasks {
  // announced_by: bits of the runtimes that have called thread_begin and not thread_end; their OMPT entry points may be
  // asked. worker_of: the runtime that made the thread (its number + 1; 0: the program made it).
  uint8_t announced_by;
  uint8_t worker_of;
  bool helper;  // in kTeamOfHelpers

  static constexpr uint32_t kMost = 16;
  RegionRef league;  // the teams construct, ended or not, of which the thread has an initial task; 0: none
  OpenTask open[kMost];
  uint32_t depth;  // may exceed kMost

  RegionPool* regions;
  RegionStats* region_stats;
  WorkStats* work_stats;
  WorkCounts* work;  // the thread's innermost worksharing construct
  // Of a runtime that names tasks by numbers (ompt/numbered_tasks.h). NULL until a thread hears from such a runtime.
  // The next thread keeps the memory, and its thread_begin empties it.
  NumberedTasks* numbered;
  std::atomic<uint64_t> events[kOmptEvents];

  // Prepares the state for another thread, which continues the pool and the tables.
  void Reset() {
    announced_by = 0;
    worker_of = 0;
    helper = false;
    league = 0;
    depth = 0;
    if (region_stats != nullptr) region_stats->Clear();
    if (work_stats != nullptr) work_stats->Clear();
    work = nullptr;
    for (auto& counter : events) counter.store(0, std::memory_order_relaxed);
  }
};

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_TASKS_THREAD_TASKS_H_
