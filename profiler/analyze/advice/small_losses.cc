#include "profiler/analyze/advice/rules.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "profiler/analyze/account/gain.h"
#include "profiler/analyze/account/what_if.h"
#include "profiler/analyze/advice/processor_advice.h"
#include "profiler/analyze/view/state_kind.h"

namespace ompprof::analyze {
namespace {

// The prediction for another number of threads extrapolates, so it needs a larger gain, as a share of the wall time.
constexpr double kWorthwhileThreads = 0.1;

// Threads with more work than this between two meetings have another problem than meeting.
constexpr double kShortNs = 1e7;

// What the regions lose together.
struct SmallLosses {
  uint64_t runs = 0;
  uint64_t most_runs = 0;  // of one region
  uint64_t elapsed_ns = 0;
  uint64_t team_ns = 0;
  uint64_t wait_ns = 0;
  uint64_t useful_ns = 0;
  uint64_t barriers_ns = 0;   // potential gain
  uint64_t fork_join_ns = 0;  // potential gain
  uint64_t gain_ns = 0;       // of all causes
  Cause largest = Cause::kImbalance;
  Estimate estimate;

  explicit SmallLosses(const View& view, const std::vector<const Region*>& regions) {
    Gains all;
    for (const Region* region : regions) {
      runs += region->ended;
      most_runs = std::max(most_runs, region->ended);
      elapsed_ns += region->elapsed_ns;
      team_ns += region->team_ns;
      wait_ns += region->end_wait_ns + region->barrier_wait_ns;
      useful_ns += region->useful_ns;
      estimate.Add(region->all_barriers_estimate());
      const Gains gains = PotentialGains(view, *region);
      for (int cause = 0; cause < kCauses; ++cause) all.ns[cause] += gains.ns[cause];
    }
    barriers_ns = all[Cause::kImbalance];
    fork_join_ns = all[Cause::kForkJoin];
    gain_ns = all.total();
    largest = static_cast<Cause>(std::max_element(all.ns, all.ns + kCauses) - all.ns);
  }

  // How many regions a step of the program runs on average: those that are run most often are run once each step.
  double RegionsAStep() const {
    return most_runs == 0 ? 1 : static_cast<double>(runs) / static_cast<double>(most_runs);
  }
  double MeanTeam() const {
    return elapsed_ns == 0 ? 0 : static_cast<double>(team_ns) / static_cast<double>(elapsed_ns);
  }
};

// The barrier waits in the regions by the thread of each process that waits least, added up over processes.
uint64_t LeastWaitNs(const View& view, const std::vector<const Region*>& regions) {
  std::set<FunctionId> constructs;
  for (const Region* region : regions) constructs.insert(region->construct);
  std::map<std::pair<uint32_t, uint32_t>, uint64_t> threads;
  for (const WaitTotal& wait : view.waits) {
    const StateKind kind = KindOf(wait.state);
    if (wait.charge || (kind != StateKind::kRegionEnd && kind != StateKind::kBarrier)) continue;
    if (constructs.count(wait.region) != 0) threads[{wait.process, wait.thread}] += wait.total_ns;
  }
  std::map<uint32_t, uint64_t> least;
  for (const auto& [thread, ns] : threads) {
    const auto [entry, added] = least.emplace(thread.first, ns);
    if (!added) entry->second = std::min(entry->second, ns);
  }
  uint64_t sum = 0;
  for (const auto& [process, ns] : least) sum += ns;
  return sum;
}

// Whether the advice says that the pieces of work are too small for their cost.
bool IsTooFine(AdviceKind kind) {
  return kind == AdviceKind::kRegionTooShort || kind == AdviceKind::kTasksTooFine || kind == AdviceKind::kChunkTooSmall;
}

}  // namespace

void AdviseOnSmallRegions(const AdviceRun& run, const std::vector<const Region*>& small, Findings* findings) {
  if (small.empty()) return;
  const SmallLosses losses(run.view, small);
  const double regions = losses.RegionsAStep();
  const double fewer_barriers = (1 - 1 / std::sqrt(regions)) * static_cast<double>(losses.barriers_ns);
  const double least_wait = static_cast<double>(run.OfEachProcess(static_cast<double>(LeastWaitNs(run.view, small))));
  const double fewer_forks = (1 - 1 / regions) * static_cast<double>(losses.fork_join_ns);
  const auto fused_ns = static_cast<uint64_t>(std::min(fewer_barriers, least_wait) + fewer_forks);
  const double work_ns = static_cast<double>(losses.useful_ns) / std::max(1.0, losses.MeanTeam());
  const bool short_regions = work_ns < kShortNs * static_cast<double>(losses.runs);
  if (run.Worthwhile(fused_ns) && small.size() > 1 && short_regions) {
    Advice& advice = AddAdvice(AdviceKind::kFuseRegions, kNoFunction, fused_ns, &findings->advice);
    advice.regions = small.size();
    advice.count = losses.runs;
    advice.each_ns = losses.runs == 0 ? 0 : losses.elapsed_ns / losses.runs;
    advice.wait_ns = losses.wait_ns;
    advice.of_ns = losses.team_ns;
    advice.threads = losses.MeanTeam();
    advice.estimate = losses.estimate;
  } else if (run.Worthwhile(losses.gain_ns)) {
    findings->refusals.push_back({.cause = losses.largest,
                                  .reason = RefusalReason::kSmallRegions,
                                  .gain_ns = losses.gain_ns,
                                  .count = small.size(),
                                  .fused_ns = fused_ns});
  }
}

void AdviseFewerThreads(const AdviceRun& run, Findings* findings) {
  // With too few processors, the advice on processors says so. Waits on a machine that others use say nothing.
  if (IsDisturbed(run)) return;
  uint32_t most = 0;
  double wait_ns = 0;
  for (const Region& region : run.view.regions) {
    if (region.nesting_level != 0) continue;
    most = std::max(most, static_cast<uint32_t>(std::lround(region.MeanTeam())));
    wait_ns += static_cast<double>(region.LostNs());
  }
  // Threads without a processor of their own shorten nothing.
  if (const double cpus = run.view.run.usable_cpus(); cpus > 0)
    most = std::min(most, static_cast<uint32_t>(std::max(1.0, cpus)) + 1);
  const WhatIf what_if(run.view, run.efficiency);
  uint64_t least_ns = run.efficiency.duration_ns;
  uint32_t threads = 0;
  for (uint32_t fewer = 1; fewer < most; fewer += std::max(1u, fewer / 4)) {
    const Prediction prediction = what_if.WithThreads(fewer);
    if (prediction.after_ns >= least_ns) continue;
    least_ns = prediction.after_ns;
    threads = fewer;
  }
  const uint64_t gain_ns = run.efficiency.duration_ns - least_ns;
  if (!run.Worthwhile(gain_ns, kWorthwhileThreads)) return;
  // A cause is the better advice: without it, more threads may pay.
  for (const Advice& other : findings->advice) {
    if (other.gain_ns >= gain_ns / 2 || IsTooFine(other.kind)) return;
  }
  Advice& advice = AddAdvice(AdviceKind::kFewerThreads, kNoFunction, gain_ns, &findings->advice);
  advice.fewer_threads = threads;
  advice.threads = most;
  advice.wait_ns = static_cast<uint64_t>(wait_ns);
  advice.of_ns = run.efficiency.threads * run.efficiency.duration_ns;
}

}  // namespace ompprof::analyze
