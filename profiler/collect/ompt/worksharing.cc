#include "profiler/collect/ompt/worksharing.h"

#include "profiler/collect/base/os.h"
#include "profiler/collect/thread/session.h"

namespace ompprof::collect {

void WorkBegins(ThreadState* thread, ompt_work_t type, RegionRef region, uint64_t count, uint64_t codeptr_ra) {
  if (thread->tasks.work_stats == nullptr)
    thread->tasks.work_stats = static_cast<WorkStats*>(MapFixed(sizeof(WorkStats)));
  if (thread->tasks.work_stats == nullptr) return;
  WorkCounts* work =
      thread->tasks.work_stats->Find({static_cast<uint32_t>(type), session.epoch.load(std::memory_order_relaxed),
                                      codeptr_ra, IsCurrent(region) ? RegionOf(region)->codeptr_ra : 0});
  if (work == nullptr) return;
  Add(&work->count, 1);
  Add(&work->iterations, count);
  thread->tasks.work = work;
}

}  // namespace ompprof::collect
