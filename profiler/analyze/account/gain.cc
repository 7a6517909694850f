#include "profiler/analyze/account/gain.h"

#include <algorithm>
#include <numeric>

#include "profiler/analyze/account/efficiency.h"
#include "profiler/analyze/builder/account_regions.h"
#include "profiler/analyze/builder/account_threads.h"
#include "profiler/analyze/view/concurrency.h"

namespace ompprof::analyze {
namespace {

// The wall time of the run that the region's instances take. Several instances of a nested region may run at a time.
double Overlap(const View& view, const Region& region) {
  if (region.nesting_level == 0 || region.elapsed_ns == 0) return 1;
  uint64_t outermost = 0;
  for (const Region& other : view.regions) {
    if (other.nesting_level == 0) outermost += other.elapsed_ns;
  }
  return outermost == 0 || outermost >= region.elapsed_ns
             ? 1
             : static_cast<double>(outermost) / static_cast<double>(region.elapsed_ns);
}

// The processors that the region's work can have: those that other programs leave, and no more than a team had
// while it could run. 0: not known.
double ProcessorsHad(const View& view, const Region& region) {
  const double free = view.run.free_cpus();
  const double had = region.MeanTeam() * (1 - DelayShare(view.run));
  return free > 0 && had > 0 ? std::min(free, had) : free;
}

}  // namespace

const char* CauseName(Cause cause) {
  static const char* const kNames[kCauses] = {"imbalance", "serialization", "task_wait",
                                              "fork_join", "scheduling",    "tasking"};
  return kNames[static_cast<int>(cause)];
}

const char* CauseTitle(Cause cause) {
  static const char* const kTitles[kCauses] = {"barriers",      "locks",      "tasks awaited",
                                               "fork and join", "scheduling", "tasking"};
  return kTitles[static_cast<int>(cause)];
}

uint64_t Gains::total() const { return std::accumulate(ns, ns + kCauses, uint64_t{0}); }

uint64_t ElapsedWithout(const View& view, const Region& region, uint64_t lost_ns, bool moves_work, uint64_t work_ns) {
  const double threads = region.MeanTeam();
  if (threads <= 0) return region.elapsed_ns;
  const auto work_gone = static_cast<double>(work_ns);
  double elapsed = static_cast<double>(region.elapsed_ns) - (static_cast<double>(lost_ns) + work_gone) / threads;
  if (!moves_work) elapsed = std::max(elapsed, static_cast<double>(region.useful_max_ns) - work_gone / threads);
  // The processors bound the speed of the threads.
  const double cpus = ProcessorsHad(view, region);
  if (cpus > 0) {
    const uint64_t overhead = std::accumulate(region.overhead_weight, region.overhead_weight + kOverheads, uint64_t{0});
    elapsed = std::max(elapsed, (static_cast<double>(region.work_weight + overhead) - work_gone) / cpus);
  }
  return static_cast<uint64_t>(std::clamp(elapsed, 0.0, static_cast<double>(region.elapsed_ns)));
}

uint64_t ElapsedBalanced(const View& view, const Region& region, uint64_t lost_ns) {
  const uint64_t elapsed = ElapsedWithout(view, region, lost_ns, /*moves_work=*/true);
  if (!region.cpu_imbalance) return elapsed;
  return std::max(elapsed, region.elapsed_ns - std::min(region.elapsed_ns, UnevenWorkNs(region)));
}

Gains PotentialGains(const View& view, const Region& region) {
  Gains gains;
  const double threads = region.MeanTeam();
  if (threads < 1.5) return gains;
  const double overlap = Overlap(view, region) / OpenmpProcessesAtATime(view.run);
  const auto saved = [&](uint64_t after_ns) {
    return static_cast<uint64_t>(static_cast<double>(region.elapsed_ns - after_ns) * overlap);
  };
  // CPU time in the runtime. The team's threads share the processors.
  const double cpus = view.run.usable_cpus();
  const double at_a_time = cpus > 0 ? std::min(threads, std::max(cpus, 1.0)) : threads;
  const auto overhead = [&](Overhead kind) {
    return static_cast<uint64_t>(static_cast<double>(region.overhead_weight[static_cast<int>(kind)]) / at_a_time *
                                 overlap);
  };
  gains.ns[static_cast<int>(Cause::kImbalance)] =
      saved(ElapsedBalanced(view, region, region.end_wait_ns + region.barrier_wait_ns));
  gains.ns[static_cast<int>(Cause::kSerialization)] = saved(ElapsedWithout(view, region, region.lock_wait_ns, false));
  gains.ns[static_cast<int>(Cause::kTaskWait)] = saved(ElapsedWithout(view, region, region.task_wait_ns, true));
  gains.ns[static_cast<int>(Cause::kForkJoin)] = overhead(Overhead::kForkJoin);
  gains.ns[static_cast<int>(Cause::kScheduling)] = overhead(Overhead::kScheduling);
  gains.ns[static_cast<int>(Cause::kTasking)] = overhead(Overhead::kTasking);
  return gains;
}

}  // namespace ompprof::analyze
