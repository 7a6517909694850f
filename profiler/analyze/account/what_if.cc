#include "profiler/analyze/account/what_if.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

#include "profiler/analyze/account/gain.h"
#include "profiler/analyze/builder/select.h"
#include "profiler/analyze/view/concurrency.h"
#include "profiler/analyze/view/state_kind.h"

namespace ompprof::analyze {
namespace {

// The cost of a chunk if the profile does not tell it: an atomic addition on a cache line that the threads share.
constexpr double kChunkNs = 100;

// The error of `after(lost_ns)` for an estimated lost_ns: the larger distance to the results at both ends of the error
// bar. The processors' bounds make the error less than proportional.
template <class After>
Estimate EstimateOfAfter(uint64_t lost_ns, const Estimate& lost, After after) {
  if (!lost.any()) return {};
  const uint64_t ci95 = lost.ci95_ns();
  const double here = after(lost_ns);
  const double off =
      std::max(std::abs(after(lost_ns > ci95 ? lost_ns - ci95 : 0) - here), std::abs(after(lost_ns + ci95) - here));
  const double deviation_us = off / 1.96 / 1000;
  return {lost.ns, deviation_us * deviation_us};
}

}  // namespace

double WhatIf::TeamsAtATime() const {
  uint64_t outermost = 0;
  for (const Region& region : view_.regions) {
    if (region.nesting_level == 0) outermost += region.elapsed_ns;
  }
  const auto duration = static_cast<double>(std::max<uint64_t>(efficiency_.duration_ns, 1));
  return std::max(OpenmpProcessesAtATime(view_.run), static_cast<double>(outermost) / duration);
}

Prediction WhatIf::Saving(const Region& region, double saved_ns) const {
  Prediction prediction;
  prediction.before_ns = efficiency_.duration_ns;
  uint64_t outermost = 0;
  for (const Region& other : view_.regions) {
    if (other.nesting_level == 0) outermost += other.elapsed_ns;
  }
  double saved = saved_ns / TeamsAtATime();
  if (region.nesting_level > 0 && region.elapsed_ns > outermost && outermost > 0) {
    saved *= static_cast<double>(outermost) / static_cast<double>(region.elapsed_ns);
    prediction.assumptions.push_back("the region is nested, and its instances overlap as in the recorded run");
  }
  const auto whole = static_cast<double>(prediction.before_ns);
  prediction.after_ns = static_cast<uint64_t>(std::clamp(whole - saved, 0.0, whole * 10));
  return prediction;
}

Prediction WhatIf::Balanced(const Region& region) const {
  const auto balanced = [&](uint64_t lost_ns) {
    return Saving(region, static_cast<double>(region.elapsed_ns - ElapsedBalanced(view_, region, lost_ns)));
  };
  const uint64_t waits = region.end_wait_ns + region.barrier_wait_ns;
  Prediction prediction = balanced(waits);
  prediction.estimate = EstimateOfAfter(waits, region.all_barriers_estimate(), [&](uint64_t lost_ns) {
    return static_cast<double>(balanced(lost_ns).after_ns);
  });
  prediction.assumptions.push_back("the same work, each thread an equal share of it");
  return prediction;
}

Prediction WhatIf::Dynamic(const Region& region, uint64_t chunk) const {
  const Prediction balanced = Balanced(region);
  double after = static_cast<double>(ElapsedBalanced(view_, region, region.end_wait_ns + region.barrier_wait_ns));
  double chunk_error_ns = 0;
  const Loop* loop = nullptr;
  for (const Loop& other : region.loops) {
    if (loop == nullptr || other.iterations > loop->iterations) loop = &other;
  }
  std::string assumption;
  if (loop != nullptr && loop->count > 0 && loop->iterations > 0 && region.MeanTeam() > 0) {
    const double executions = static_cast<double>(loop->count) / region.MeanTeam();
    const double iterations = static_cast<double>(loop->iterations) / static_cast<double>(loop->count);
    const double chunks = std::max(1.0, iterations / static_cast<double>(chunk)) * executions;
    double each = kChunkNs;
    const uint64_t overhead = region.overhead_weight[static_cast<int>(Overhead::kScheduling)];
    if (loop->chunks > 0 && overhead > 0) {
      each = static_cast<double>(overhead) / static_cast<double>(loop->chunks);
      // The cost of the present chunks disappears.
      after -= static_cast<double>(overhead) / region.MeanTeam();
    }
    after += chunks * each / region.MeanTeam();
    // The threads wait for the last chunk: on average, for half a chunk.
    const double chunk_ns =
        static_cast<double>(region.useful_ns) / executions / iterations * static_cast<double>(chunk);
    after += chunk_ns / 2 * executions;
    if (region.useful_ns > 0)
      chunk_error_ns = chunk_ns / 2 * executions * static_cast<double>(region.wait_estimate().ci95_ns()) /
                       static_cast<double>(region.useful_ns);
    assumption = "a chunk costs " + std::to_string(static_cast<int>(each)) +
                 " ns to hand out, and the mean time of an iteration is the same in each chunk";
  } else {
    assumption = "the runtime reported no loop in this region: what handing out chunks costs is not counted";
  }
  Prediction prediction = Saving(region, static_cast<double>(region.elapsed_ns) - after);
  // Useful time is the time without waits. Both errors come from the same waits, so they add up linearly.
  prediction.estimate = balanced.estimate;
  if (chunk_error_ns > 0) {
    const double deviation_us = std::sqrt(balanced.estimate.variance) + chunk_error_ns / 1.96 / 1000;
    prediction.estimate = {region.wait_estimate().ns, deviation_us * deviation_us};
  }
  prediction.assumptions.push_back(assumption);
  return prediction;
}

Prediction WhatIf::WithoutLock(const std::function<bool(const WaitTotal&)>& is_lock) const {
  struct Waits {
    uint64_t ns = 0;
    Estimate estimate;
  };
  std::map<FunctionId, Waits> waits;
  for (const WaitTotal& wait : view_.waits) {
    if (wait.charge || KindOf(wait.state) != StateKind::kLock || !is_lock(wait)) continue;
    waits[wait.region].ns += wait.total_ns;
    waits[wait.region].estimate.Add(wait.estimate);
  }
  Prediction all;
  all.before_ns = all.after_ns = efficiency_.duration_ns;
  for (const Region& region : view_.regions) {
    const auto found = waits.find(region.construct);
    if (found == waits.end()) continue;
    const auto without = [&](uint64_t lost_ns) {
      return Saving(region, static_cast<double>(region.elapsed_ns - ElapsedWithout(view_, region, lost_ns, false)));
    };
    const Waits& lost = found->second;
    const Prediction one = without(lost.ns);
    all.after_ns -= std::min(all.after_ns, one.before_ns - std::min(one.before_ns, one.after_ns));
    all.estimate.Add(EstimateOfAfter(lost.ns, lost.estimate,
                                     [&](uint64_t lost_ns) { return static_cast<double>(without(lost_ns).after_ns); }));
    // The busiest threads' useful time bounds the saving, and has no error bar.
    const double least = static_cast<double>(region.elapsed_ns) -
                         static_cast<double>(lost.ns + lost.estimate.ci95_ns()) / std::max(1.0, region.MeanTeam());
    if (!region.is_estimated() || static_cast<double>(region.useful_max_ns) < least) continue;
    all.estimate.Add({1, 0});
    all.error_known = false;
  }
  all.assumptions.push_back("no thread waits for it, and the work under it takes as long as before");
  return all;
}

std::string WhatIf::WithThreadsRefusal(uint32_t threads, uint32_t processors) const {
  uint64_t waited_ns = 0;
  for (const DeviceWorkTotal& work : view_.device_work) waited_ns += work.in_regions_ns;
  constexpr uint64_t kNoticeable = 100;  // a hundredth of the run
  if (waited_ns * kNoticeable >= efficiency_.duration_ns && waited_ns > 0)
    return "threads of parallel regions wait for devices, and the profile does not tell how devices would share their "
           "time among another number of threads";
  const double recorded = view_.run.thread_cpus();
  const double cpus = processors > 0 ? processors : recorded;
  if (cpus == 0 || threads <= std::ceil(cpus)) return "";
  char usable[32];
  std::snprintf(usable, sizeof usable, "%g", cpus);
  return std::string(processors > 0 ? "with " : "the run's threads could use ") + usable +
         (cpus == 1 ? " processor" : " processors") + ", and the profile does not tell how " + std::to_string(threads) +
         " threads would share them; ask about a machine with more, for example with --processors=" +
         std::to_string(threads);
}

Prediction WhatIf::WithThreads(uint32_t threads, uint32_t processors) const {
  Prediction prediction;
  prediction.before_ns = efficiency_.duration_ns;
  double after = static_cast<double>(efficiency_.duration_ns);
  const double cpus = processors > 0 ? processors : view_.run.thread_cpus();
  const double teams = TeamsAtATime();
  const double teams_of_process = std::max(1.0, teams / OpenmpProcessesAtATime(view_.run));
  bool bound = false;
  for (const Region& region : view_.regions) {
    // Nested regions run inside the threads of the outermost region.
    if (region.nesting_level != 0 || region.useful_ns == 0) continue;
    const auto elapsed = static_cast<double>(region.elapsed_ns);
    const auto longest = static_cast<double>(region.useful_max_ns);
    const double fixed = std::max(0.0, elapsed - longest);
    // Fewer threads wait less for each other. A single thread never waits.
    const double others = std::clamp((threads - 1) / std::max(region.MeanTeam() - 1, 1e-9), 0.0, 1.0);
    const auto useful = static_cast<double>(region.useful_ns);
    const double even = useful / region.MeanTeam();
    double next = (even + (longest - even) * others) * region.MeanTeam() / threads + fixed * others;
    if (cpus > 0) {
      const double least = static_cast<double>(region.work_weight) / std::min<double>(cpus / teams_of_process, threads);
      bound |= least > next;
      next = std::max(next, least);
    }
    after += (next - elapsed) / teams;
    if (!region.is_estimated()) continue;
    // Estimated waits determine the busiest thread of each instance.
    prediction.estimate.Add({1, 0});
    prediction.error_known = false;
  }
  prediction.after_ns = static_cast<uint64_t>(std::max(0.0, after));
  prediction.assumptions.push_back(
      "every region's work is shared as evenly as now, and locks and barriers cost each thread as much as now");
  if (!view_.devices.empty())
    prediction.assumptions.push_back("kernels, copies and waits for devices take as long as now");
  if (processors > 0)
    prediction.assumptions.push_back("a machine with " + std::to_string(processors) +
                                     (processors == 1 ? " processor" : " processors") +
                                     " that are as fast as this machine's");
  if (bound)
    prediction.assumptions.push_back(
        "the machine has no more processors, so regions that compute do not become faster");
  return prediction;
}

}  // namespace ompprof::analyze
