#include "profiler/analyze/advice/rules.h"

#include <algorithm>

#include "profiler/analyze/account/outside_waits.h"

namespace ompprof::analyze {
namespace {

// Threads wait there because others have the lock. At a condition variable, a semaphore or a barrier they wait for
// something that has not happened yet, which is no lock's fault.
bool IsLock(const std::string& what) {
  return what == "pthread mutex" || what == "pthread rwlock" || !LibcRoutine(what).empty();
}

// The region's wall time if no thread waited there: no less than its work takes on the processors, or than the busiest
// thread's work. A region's useful time contains the waits, so samples tell the work.
uint64_t ElapsedWithoutWait(const View& view, const Region& region, uint64_t waited_ns) {
  uint64_t busiest_ns = 0;
  for (const Region::ThreadWork& thread : region.thread_work) busiest_ns = std::max(busiest_ns, thread.weight);
  const uint64_t without = ElapsedWithout(view, region, waited_ns, /*moves_work=*/true);
  return std::min(region.elapsed_ns, std::max(without, busiest_ns));
}

}  // namespace

void AdviseOnOutsideLocks(const AdviceRun& run, std::vector<Advice>* all) {
  for (const OutsideWait& wait : OutsideWaits(run.view)) {
    if (!IsLock(wait.what)) continue;
    const auto region = std::find_if(run.view.regions.begin(), run.view.regions.end(),
                                     [&](const Region& other) { return other.construct == wait.region; });
    if (region == run.view.regions.end() || region->MeanTeam() < 1.5) continue;
    const uint64_t waited_ns = std::min(wait.total_ns(), region->team_ns);
    const uint64_t without = ElapsedWithoutWait(run.view, *region, waited_ns);
    const uint64_t gain = run.OfEachProcess(static_cast<double>(region->elapsed_ns - without));
    if (!run.Worthwhile(gain)) continue;
    Advice& advice = AddAdvice(AdviceKind::kOutsideLock, region->construct, gain, all);
    advice.what = wait.what;
    advice.place = wait.place;
    advice.wait_ns = waited_ns;
    advice.estimate = wait.estimate();
    advice.of_ns = region->team_ns;
    advice.busy_ns = wait.cpu_ns;
    advice.threads = region->MeanTeam();
  }
}

}  // namespace ompprof::analyze
