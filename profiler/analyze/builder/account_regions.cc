#include "profiler/analyze/builder/account_regions.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "profiler/analyze/builder/account_threads.h"
#include "profiler/analyze/view/concurrency.h"

namespace ompprof::analyze {
namespace {

// From this part of a region's time on, missing processors say more about a thread's wall time than its work does.
constexpr double kLacksProcessors = 0.05;

// A thread's end may be seen so late that its successor has begun.
constexpr uint64_t kLateEndNs = 10000000;

struct Work {
  double all = 0;
  Region::ThreadWork most = {};
  double threads = 0;
};

// Threads that lived one after the other count as one thread: those of teams that are made anew each time.
std::map<uint32_t, Work> WorkOfProcesses(const Region& region) {
  std::map<std::pair<uint32_t, uint64_t>, Region::ThreadWork> threads;
  for (const Region::ThreadWork& thread : region.thread_work) {
    const uint64_t key = thread.slot != 0 ? uint64_t{thread.slot} << 32 : thread.thread;
    Region::ThreadWork& sum = threads[{thread.process, key}];
    sum.weight += thread.weight;
    sum.samples += thread.samples;
    sum.of_weight += thread.of_weight;
  }
  std::map<uint32_t, Work> processes;
  for (const auto& [key, thread] : threads) {
    Work& work = processes[key.first];
    work.all += static_cast<double>(thread.weight);
    ++work.threads;
    if (thread.weight > work.most.weight) work.most = thread;
  }
  // A thread that no sample met belongs to the team as well.
  for (auto& [process, work] : processes) work.threads = std::max(work.threads, std::round(region.MeanTeam()));
  return processes;
}

// By how much the largest of several equal numbers of samples exceeds their mean by chance: one standard deviation, and
// as many more as the largest of n normal deviates is expected to lie above their mean. The thread's CPU time is exact,
// and chance has only divided it between this region and the rest: the deviation of a binomial share.
double ChanceNs(const Work& work) {
  const auto most = static_cast<double>(work.most.weight);
  const auto samples = static_cast<double>(work.most.samples);
  if (samples < 1) return most;
  const double rest = work.most.of_weight == 0 ? 1 : 1 - most / static_cast<double>(work.most.of_weight);
  return most * std::sqrt(std::max(rest, 1 / samples) / samples) * std::max(1.0, std::sqrt(2 * std::log(work.threads)));
}

// Sets of_weight and slot of the regions' threads.
void DescribeThreads(View* view) {
  std::map<std::pair<uint32_t, uint32_t>, Region::ThreadWork> threads;
  for (const ViewSample& sample : view->samples)
    threads[{sample.process, sample.thread}].of_weight += sample.cost.weight;
  for (uint32_t i = 0; i < view->run.processes.size(); ++i) {
    const ProcessFacts& process = view->run.process(i);
    std::vector<Span> spans;
    for (const ThreadFacts& thread : process.threads) {
      spans.push_back(SpanOf(process, thread));
      spans.back().end_ns -= std::min(kLateEndNs, (spans.back().end_ns - spans.back().begin_ns) / 4);
    }
    const std::vector<uint32_t> slots = SlotsOf(spans);
    for (size_t thread = 0; thread < slots.size(); ++thread)
      threads[{i, process.threads[thread].id}].slot = slots[thread] + 1;
  }
  for (Region& region : view->regions) {
    for (Region::ThreadWork& work : region.thread_work) {
      const Region::ThreadWork& known = threads[{work.process, work.thread}];
      work.of_weight = known.of_weight;
      work.slot = known.slot;
    }
  }
}

double UsefulOffNs(const Region& region, double share_off) {
  const auto useful = static_cast<double>(region.useful_ns);
  if (share_off >= 0) return useful * share_off;
  return std::max(0.0, useful - static_cast<double>(region.busy_weight));
}

// Whether the threads' time without waits is mostly on a processor. Where threads sleep, CPU time is no measure of
// work.
bool Computes(const Region& region) { return region.busy_weight >= region.useful_ns / 2; }

// `crowded`: see ThreadsShareProcessors.
void TakeReadyTimeOut(bool crowded, Region* region) {
  if (region->useful_ns == 0 || (region->ready_ns == 0 && !crowded)) return;
  const double left = 1 - static_cast<double>(region->ready_ns) / static_cast<double>(region->useful_ns);
  const bool lacks_processors = crowded || left < 1 - kLacksProcessors;
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
}

// No thread is useful for longer than the region takes. The least busy thread has no more than the mean, and no less
// than the mean and the busiest thread leave for it; the busiest has no less than the mean. The figures come from
// different sources, and teams of several sizes have no common mean.
void OrderUsefulTime(Region* region) {
  const double team = region->MeanTeam();
  if (team <= 0) return;
  if (region->elapsed_ns > 0) {
    region->useful_ns =
        std::min(region->useful_ns, static_cast<uint64_t>(static_cast<double>(region->elapsed_ns) * team));
    region->useful_max_ns = std::min(region->useful_max_ns, region->elapsed_ns);
  }
  const double mean = static_cast<double>(region->useful_ns) / team;
  region->useful_max_ns = std::max(region->useful_max_ns, static_cast<uint64_t>(std::ceil(mean)));
  const double least = std::max(0.0, team * mean - (team - 1) * static_cast<double>(region->useful_max_ns));
  region->useful_min_ns =
      std::clamp(region->useful_min_ns, static_cast<uint64_t>(std::min(least, mean)), static_cast<uint64_t>(mean));
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
    uneven = std::max(uneven, static_cast<double>(work.most.weight) - work.all / work.threads - ChanceNs(work));
  return static_cast<uint64_t>(uneven);
}

namespace {

// Divides the regions' time without waits. See AccountRegions.
void TakeTimeOffProcessorsOut(const ThreadAccount& all, bool sampled_by_cpu_time, View* view) {
  const auto off_ns = static_cast<double>(all.off_cpu_ns());
  const double share_off = sampled_by_cpu_time ? -1 : off_ns / (off_ns + static_cast<double>(all.on_cpu_ns));
  double outermost_ns = 0;
  for (const Region& region : view->regions) {
    if (region.nesting_level == 0) outermost_ns += UsefulOffNs(region, share_off);
  }
  const double scale = outermost_ns > off_ns ? off_ns / outermost_ns : 1;
  const double ready_share = static_cast<double>(all.ready_ns) / off_ns;
  const bool crowded = ThreadsShareProcessors(*view);
  for (Region& region : view->regions) {
    const double off = UsefulOffNs(region, share_off) * scale;
    region.ready_ns = static_cast<uint64_t>(off * ready_share);
    region.blocked_ns = static_cast<uint64_t>(off * (1 - ready_share));
    TakeReadyTimeOut(crowded, &region);
  }
}

}  // namespace

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
  DescribeThreads(view);
  if (sampled_by_cpu_time) {
    for (Region& region : view->regions) BoundUsefulTime(&region);
  }
  if (all.off_cpu_ns() > 0 && WaitsRecorded(*view)) TakeTimeOffProcessorsOut(all, sampled_by_cpu_time, view);
  for (Region& region : view->regions) OrderUsefulTime(&region);
}

}  // namespace ompprof::analyze
