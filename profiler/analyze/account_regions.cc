#include "profiler/analyze/account_regions.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "profiler/analyze/account_threads.h"

namespace ompprof::analyze {
namespace {

// From this part of a region's time on, missing processors say more about a thread's wall time than its work does.
constexpr double kLacksProcessors = 0.05;

struct Work {
  double all = 0;
  double most = 0;
  double samples_of_most = 0;
  double threads = 0;
};

std::map<uint32_t, Work> WorkOfProcesses(const Region& region) {
  std::map<uint32_t, Work> processes;
  for (const Region::ThreadWork& thread : region.thread_work) {
    Work& work = processes[thread.process];
    const auto weight = static_cast<double>(thread.weight);
    work.all += weight;
    ++work.threads;
    if (weight <= work.most) continue;
    work.most = weight;
    work.samples_of_most = static_cast<double>(thread.samples);
  }
  // A thread that no sample met belongs to the team as well.
  for (auto& [process, work] : processes) work.threads = std::max(work.threads, std::round(region.MeanTeam()));
  return processes;
}

// By how much the largest of several equal numbers of samples exceeds their mean by chance: one standard deviation, and
// as many more as the largest of n normal deviates is expected to lie above their mean.
double ChanceNs(const Work& work) {
  if (work.samples_of_most < 1) return work.most;
  return work.most / std::sqrt(work.samples_of_most) * std::max(1.0, std::sqrt(2 * std::log(work.threads)));
}

double UsefulOffNs(const Region& region, double share_off) {
  const auto useful = static_cast<double>(region.useful_ns);
  if (share_off >= 0) return useful * share_off;
  return std::max(0.0, useful - static_cast<double>(region.busy_weight));
}

// Whether the threads' time without waits is mostly on a processor. Where threads sleep, CPU time is no measure of
// work.
bool Computes(const Region& region) { return region.busy_weight >= region.useful_ns / 2; }

void TakeReadyTimeOut(Region* region) {
  if (region->useful_ns == 0 || region->ready_ns == 0) return;
  const double left = 1 - static_cast<double>(region->ready_ns) / static_cast<double>(region->useful_ns);
  const bool lacks_processors = left < 1 - kLacksProcessors;
  for (uint64_t* useful : {&region->useful_ns, &region->useful_max_ns, &region->useful_min_ns})
    *useful = static_cast<uint64_t>(static_cast<double>(*useful) * left);
  if (!lacks_processors || !Computes(*region)) return;
  const std::map<uint32_t, Work> processes = WorkOfProcesses(*region);
  double all = 0;
  double threads = 0;
  for (const auto& [process, work] : processes) {
    all += work.all;
    threads += work.threads;
  }
  if (all == 0 || region->MeanTeam() == 0) return;
  region->cpu_imbalance = static_cast<double>(UnevenWorkNs(*region)) / (all / threads);
  region->useful_max_ns =
      static_cast<uint64_t>(static_cast<double>(region->useful_ns) / region->MeanTeam() * (1 + *region->cpu_imbalance));
  region->useful_min_ns = std::min(region->useful_min_ns, region->useful_max_ns);
}

// Estimated waits may be too long. Then useful time is too short: no shorter than the CPU time that samples show in the
// program's code.
void BoundUsefulTime(Region* region) {
  if (region->estimated == 0 || region->useful_ns == 0 || region->useful_ns >= region->work_weight) return;
  const double factor = static_cast<double>(region->work_weight) / static_cast<double>(region->useful_ns);
  for (uint64_t* useful : {&region->useful_ns, &region->useful_max_ns, &region->useful_min_ns})
    *useful = std::min(region->elapsed_ns * static_cast<uint64_t>(std::ceil(region->MeanTeam())),
                       static_cast<uint64_t>(static_cast<double>(*useful) * factor));
  region->useful_max_ns = std::min(region->useful_max_ns, region->elapsed_ns);
}

}  // namespace

uint64_t UnevenWorkNs(const Region& region) {
  double uneven = 0;
  for (const auto& [process, work] : WorkOfProcesses(region))
    uneven = std::max(uneven, work.most - work.all / work.threads - ChanceNs(work));
  return static_cast<uint64_t>(uneven);
}

void AccountRegions(View* view) {
  ThreadAccount all;
  bool sampled_by_cpu_time = true;
  for (uint32_t i = 0; i < view->run.processes.size(); ++i) {
    const ProcessFacts& process = view->run.process(i);
    sampled_by_cpu_time &= IsSampledByCpuTime(process);
    for (const ThreadFacts& thread : process.threads) {
      if (thread.is_openmp()) all.Add(view->accounts[{i, thread.id}]);
    }
  }
  if (sampled_by_cpu_time) {
    for (Region& region : view->regions) BoundUsefulTime(&region);
  }
  if (all.off_cpu_ns() == 0 || !WaitsRecorded(*view)) return;
  const auto off_ns = static_cast<double>(all.off_cpu_ns());
  const double share_off = sampled_by_cpu_time ? -1 : off_ns / (off_ns + static_cast<double>(all.on_cpu_ns));
  double outermost_ns = 0;
  for (const Region& region : view->regions) {
    if (region.nesting_level == 0) outermost_ns += UsefulOffNs(region, share_off);
  }
  const double scale = outermost_ns > off_ns ? off_ns / outermost_ns : 1;
  const double ready_share = static_cast<double>(all.ready_ns) / off_ns;
  for (Region& region : view->regions) {
    const double off = UsefulOffNs(region, share_off) * scale;
    region.ready_ns = static_cast<uint64_t>(off * ready_share);
    region.blocked_ns = static_cast<uint64_t>(off * (1 - ready_share));
    TakeReadyTimeOut(&region);
  }
}

}  // namespace ompprof::analyze
