#include "profiler/analyze/advice/rules.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

#include "profiler/analyze/account/gain.h"
#include "profiler/analyze/advice/processor_advice.h"
#include "profiler/analyze/builder/account_regions.h"
#include "profiler/analyze/builder/account_threads.h"
#include "profiler/analyze/view/confidence.h"
#include "profiler/analyze/view/state_kind.h"

namespace ompprof::analyze {
namespace {

// The least imbalance of CPU times that is advised on where threads lack processors. Equal work takes more CPU time on
// a processor that other programs slow down. Where threads take work from each other, the kernel's choice of the
// running thread makes differences as well.
constexpr double kLeastCpuImbalance = 0.3;
// A region costs microseconds to create and end. A region that takes longer than this has another problem.
constexpr uint64_t kShortRegionNs = 200000;
// Chunks for each thread: so many that the last chunks make no difference, so few that they cost nothing.
constexpr uint64_t kChunksPerThread = 32;
// ompt_work_t
constexpr uint32_t kLoop = 1, kSections = 2, kStaticLoop = 10, kDynamicLoop = 11, kGuidedLoop = 12;

// Handing out a chunk takes a loop's thread about this long (an atomic addition on a line that the threads share), and
// the next chunk of a loop starts this much later.
constexpr uint64_t kChunkNs = 100;
// Handing out chunks that take longer than this costs little.
constexpr uint64_t kLongChunkNs = 5000;
// Less work than this between two barriers, of all threads together, is not worth the barrier.
constexpr uint64_t kLittleWorkNs = 20000;
constexpr uint64_t kOftenMet = 100;

enum class Schedule { kNotKnown, kStatic, kDynamic };

// libomp 15 and 16 tell of a static loop's share of each thread as a chunk. libgomp and libomp 14 tell of no static
// loop's chunks, and libomp 14 of none at all.
Schedule ScheduleOf(const Loop& loop) {
  if (loop.type == kStaticLoop) return Schedule::kStatic;
  if (loop.type == kDynamicLoop || loop.type == kGuidedLoop) return Schedule::kDynamic;
  if (loop.chunks == 0) return Schedule::kNotKnown;
  return loop.chunks == loop.count ? Schedule::kStatic : Schedule::kDynamic;
}

bool IsLoop(const Loop& loop) {
  return loop.type == kLoop || loop.type == kStaticLoop || loop.type == kDynamicLoop || loop.type == kGuidedLoop;
}

// How a region's work is distributed.
struct Distribution {
  const Loop* loop = nullptr;  // the loop with a static or unknown schedule that has most iterations
  bool dynamic = false;        // some loop has a dynamic or guided schedule
  bool sections = false;
};

Distribution DistributionOf(const Region& region) {
  Distribution found;
  found.dynamic = region.handing_out_weight > 0;
  for (const Loop& loop : region.loops) {
    found.sections |= loop.type == kSections;
    if (!IsLoop(loop)) continue;
    if (ScheduleOf(loop) == Schedule::kDynamic)
      found.dynamic = true;
    else if (found.loop == nullptr || loop.iterations > found.loop->iterations)
      found.loop = &loop;
  }
  return found;
}

// Whether the region's threads compute, rather than sleep or do I/O.
bool Computes(const Region& region) {
  return std::accumulate(region.overhead_weight, region.overhead_weight + kOverheads, region.work_weight) >=
         region.useful_ns / 2;
}

// The waits for locks by region, of all locks and of the locks with advice.
class LockWaitsByRegion {
 public:
  LockWaitsByRegion(const View& view, const std::vector<Advice>& advice) {
    std::set<LockKey> advised;
    for (const Advice& one : advice) {
      if (one.state != OmptState::kNone) advised.insert({one.process, one.state, one.wait_id});
    }
    for (const WaitTotal& wait : view.waits) {
      if (wait.charge || KindOf(wait.state) != StateKind::kLock) continue;
      Waits& waits = regions_[wait.region];
      const LockKey key{wait.process, wait.state, wait.wait_id};
      if (advised.count(key) != 0)
        waits.advised_ns += wait.total_ns;
      else
        waits.others.insert(key);
    }
  }

  uint64_t AdvisedNs(FunctionId region) const {
    const auto found = regions_.find(region);
    return found == regions_.end() ? 0 : found->second.advised_ns;
  }
  uint64_t OtherLocks(FunctionId region) const {
    const auto found = regions_.find(region);
    return found == regions_.end() ? 0 : found->second.others.size();
  }

 private:
  using LockKey = std::tuple<uint32_t, OmptState, uint64_t>;  // process, state, wait id
  struct Waits {
    uint64_t advised_ns = 0;
    std::set<LockKey> others;
  };
  std::map<FunctionId, Waits> regions_;
};

class RegionAdviser {
 public:
  RegionAdviser(const AdviceRun& run, Findings* findings)
      : run_(run),
        view_(run.view),
        findings_(*findings),
        locks_(run.view, findings->advice),
        disturbed_(IsDisturbed(run)),
        crowded_(ThreadsShareProcessors(run.view)) {
    for (const ProcessFacts& process : view_.run.processes) {
      tasks_ += process.tasks_created;
      for (const RuntimeFacts& runtime : process.runtimes)
        tells_static_loops_ |= runtime.version.find("OMP version") != std::string::npos;  // libomp
    }
  }

  // Whether the region's potential gains together are worthwhile, or it has advice without a known gain.
  bool Advise(const Region& region) {
    const Gains gains = PotentialGains(view_, region);
    const size_t before = findings_.advice.size() + findings_.refusals.size();
    const bool tasks_too_fine = Tasking(region, gains);
    // Pieces of work that are too small explain the waits as well, and smaller pieces would contradict.
    if (!TooShort(region) && !tasks_too_fine) {
      if (!Scheduling(region, gains[Cause::kScheduling])) Imbalance(region, gains[Cause::kImbalance]);
      Serialization(region, gains[Cause::kSerialization]);
      Refuse(region, Cause::kForkJoin, gains, RefusalReason::kRegionOverhead);
      Refuse(region, Cause::kTaskWait, gains, RefusalReason::kNoTaskIsReady);
    }
    const bool has_findings = findings_.advice.size() + findings_.refusals.size() > before;
    if (!has_findings && locks_.AdvisedNs(region.construct) == 0 && run_.Worthwhile(gains.total())) {
      const auto* most = std::max_element(gains.ns, gains.ns + kCauses);
      AddRefusal(region, static_cast<Cause>(most - gains.ns), RefusalReason::kSmallCauses, gains.total());
      return true;
    }
    return has_findings || run_.Worthwhile(gains.total());
  }

 private:
  Advice& Add(AdviceKind kind, const Region& region, uint64_t gain_ns) {
    return AddAdvice(kind, region.construct, gain_ns, &findings_.advice);
  }

  Refusal& AddRefusal(const Region& region, Cause cause, RefusalReason reason, uint64_t gain_ns) {
    return findings_.refusals.emplace_back(
        Refusal{.region = region.construct, .cause = cause, .reason = reason, .gain_ns = gain_ns});
  }

  void Refuse(const Region& region, Cause cause, const Gains& gains, RefusalReason reason) {
    if (run_.Worthwhile(gains[cause])) AddRefusal(region, cause, reason, gains[cause]);
  }

  // See Barriers. UINT64_MAX: no bound is known. Sections go to whichever thread comes first, so a different thread has
  // the longest one each time.
  uint64_t SameThreadsLateNs(const Region& region) const {
    if (region.nesting_level != 0 || DistributionOf(region).sections) return UINT64_MAX;
    return run_.barriers.SameThreadsLateNs(region.construct, region.MeanTeam() * run_.processes).value_or(UINT64_MAX);
  }

  // What the busiest thread of each instance has above the mean, where threads meet at the end only. Between several
  // barriers, a different thread may be late each time. UINT64_MAX: no bound.
  uint64_t BusiestAboveMeanNs(const Region& region) const {
    if (run_.barriers.Meetings(region.construct) > region.ended) return UINT64_MAX;
    const auto mean_ns = static_cast<uint64_t>(static_cast<double>(region.useful_ns) / region.MeanTeam());
    return run_.OfEachProcess(static_cast<double>(region.useful_max_ns - std::min(region.useful_max_ns, mean_ns)));
  }

  // Of a run in which every thread has a processor: its wall time, as far as the profile tells.
  uint64_t WithProcessorsNs() const {
    uint64_t ns = run_.efficiency.serial_ns;
    for (const Region& region : view_.regions) {
      if (region.nesting_level == 0) ns += run_.OfEachProcess(static_cast<double>(region.useful_max_ns));
    }
    return ns;
  }

  // The CPU time of the thread with most of the region's work.
  static uint64_t MostWorkNs(const Region& region) {
    uint64_t most = 0;
    for (const Region::ThreadWork& work : region.thread_work) most = std::max(most, work.weight);
    return most;
  }

  // What uneven work costs once the threads have processors, where they lack them now: the busiest thread's work above
  // the mean. On processors that always have another thread to run, uneven work costs nothing. 0: not worthwhile.
  uint64_t HiddenImbalanceNs(const Region& region) const {
    if (!region.cpu_imbalance || !Computes(region) || region.nesting_level != 0) return 0;
    // Where the work is the threads' own, they wait for the busiest on average about as long as it works above the
    // mean, or longer (0.75 to 8 times). Where a loop hands the work out, a thread that lacks a processor takes less of
    // it, and few wait (0 to 0.4 times).
    const auto waits = static_cast<double>(region.end_wait_ns + region.barrier_wait_ns);
    if (2 * waits / region.MeanTeam() < static_cast<double>(UnevenWorkNs(region))) return 0;
    if (UnevenWorkNs(region) <= WeightError(view_, MostWorkNs(region))) return 0;
    const uint64_t uneven = run_.OfEachProcess(static_cast<double>(UnevenWorkNs(region)));
    return static_cast<double>(uneven) >= kWorthwhile * static_cast<double>(WithProcessorsNs()) ? uneven : 0;
  }

  bool TooShort(const Region& region) {
    if (region.nesting_level != 0 || region.ended == 0 || HasTasks(region)) return false;
    if (region.elapsed_ns / region.ended > kShortRegionNs) return false;
    const uint64_t not_lost =
        region.useful_ns + region.own_useful_weight + region.library_wait_weight + region.mpi_weight;
    // On a machine that others use, threads also wait for threads that have no processor. That is no loss of the
    // region: alone, it would take as long as a thread's CPU time in it, spinning included.
    const uint64_t elapsed =
        disturbed_
            ? std::min(region.elapsed_ns, static_cast<uint64_t>(static_cast<double>(region.weight) / region.MeanTeam()))
            : region.elapsed_ns;
    const uint64_t lost = elapsed > not_lost ? elapsed - not_lost : 0;
    const uint64_t gain = run_.OfEachProcess(static_cast<double>(lost));
    if (!run_.Worthwhile(gain)) return false;
    // Only where the distribution of the work costs more than the work. Waits for locks or tasks are another problem.
    if (region.lock_wait_ns + region.task_wait_ns > region.useful_ns) return false;
    Advice& advice = Add(AdviceKind::kRegionTooShort, region, gain);
    advice.count = region.ended;
    advice.each_ns = region.elapsed_ns / region.ended;
    advice.wait_ns = region.useful_ns / region.ended;
    advice.estimate = region.wait_estimate();
    return true;
  }

  // What a loop with a dynamic schedule costs in the region: for each meeting at a barrier, each thread fetches its
  // chunks, and the threads wait for the last one. The ends of n threads' last chunks are spread over a chunk's length:
  // the latest is n / (n + 1) - 1 / 2 of it after their mean.
  uint64_t DynamicCostNs(const Region& region) const {
    const double team = region.MeanTeam();
    const uint64_t meetings = std::max(run_.barriers.Meetings(region.construct), region.ended);
    const double last_chunks =
        static_cast<double>(region.useful_ns) / team / kChunksPerThread * (team / (team + 1) - 0.5);
    return run_.OfEachProcess(static_cast<double>(meetings * kChunksPerThread * kChunkNs) + last_chunks);
  }

  void Imbalance(const Region& region, uint64_t potential_ns) {
    const uint64_t same_threads_ns = SameThreadsLateNs(region);
    uint64_t gain_ns = std::min({potential_ns, same_threads_ns, BusiestAboveMeanNs(region)});
    if (region.cpu_imbalance.value_or(kLeastCpuImbalance) < kLeastCpuImbalance) {
      if (run_.Worthwhile(potential_ns))
        AddRefusal(region, Cause::kImbalance, RefusalReason::kBusyProcessors, potential_ns);
      return;
    }
    if (Computes(region)) gain_ns = std::min(gain_ns, UnevenWorkNs(region));
    // Otherwise, threads that lacked a processor let the others wait for about that long.
    else
      gain_ns -= std::min(gain_ns, static_cast<uint64_t>(static_cast<double>(region.ready_ns) / region.MeanTeam()));
    gain_ns -= std::min(gain_ns, DynamicCostNs(region));
    // Threads that share processors wait for each other's turns, and there is always another thread to run.
    if (crowded_) gain_ns = 0;
    const uint64_t hidden_ns = run_.Worthwhile(gain_ns) ? 0 : HiddenImbalanceNs(region);
    if (run_.Worthwhile(gain_ns) || hidden_ns > 0)
      AdviseOnImbalance(region, hidden_ns > 0 ? 0 : gain_ns, hidden_ns);
    else if (run_.Worthwhile(potential_ns))
      RefuseBarriers(region, potential_ns, same_threads_ns);
  }

  // Why waits at barriers give no advice on the shares of the work.
  void RefuseBarriers(const Region& region, uint64_t potential_ns, uint64_t same_threads_ns) {
    const uint64_t meetings = std::max(run_.barriers.Meetings(region.construct), region.ended);
    RefusalReason reason = RefusalReason::kEvenWork;
    if (meetings >= kOftenMet && region.useful_ns / meetings < kLittleWorkNs)
      reason = RefusalReason::kLittleWork;
    else if (!run_.Worthwhile(same_threads_ns))
      reason = RefusalReason::kOthersAreLate;
    Refusal& refusal = AddRefusal(region, Cause::kImbalance, reason, potential_ns);
    refusal.count = meetings;
    refusal.work_ns = meetings == 0 ? 0 : region.useful_ns / meetings;
  }

  void AdviseOnImbalance(const Region& region, uint64_t gain_ns, uint64_t hidden_ns) {
    const Distribution distribution = DistributionOf(region);
    // gcc compiles a static schedule without a call to the runtime, so no loop is reported.
    const bool may_have_loop = distribution.loop != nullptr || !tells_static_loops_;
    const bool is_static = may_have_loop && !distribution.dynamic && !distribution.sections &&
                           region.task_wait_ns == 0 && !HasTasks(region);
    Advice& advice = Add(is_static ? AdviceKind::kStaticSchedule : AdviceKind::kUnevenTeam, region, gain_ns);
    advice.imbalance = region.Imbalance();
    advice.hidden_ns = hidden_ns;
    advice.wait_ns = region.end_wait_ns + region.barrier_wait_ns;
    advice.estimate = region.all_barriers_estimate();
    advice.of_ns = region.team_ns;
    advice.count = region.ended;
    advice.threads = region.MeanTeam();
    const Loop* loop = distribution.loop;
    advice.maybe_static = loop != nullptr && ScheduleOf(*loop) == Schedule::kNotKnown;
    if (!is_static || loop == nullptr || loop->count == 0) return;
    advice.iterations = loop->iterations / loop->count;
    advice.chunk = std::max<uint64_t>(
        1, advice.iterations / static_cast<uint64_t>(region.MeanTeam() * static_cast<double>(kChunksPerThread)));
  }

  // Whether there is advice.
  bool Scheduling(const Region& region, uint64_t gain_ns) {
    if (!run_.Worthwhile(gain_ns) ||
        !run_.IsBeyondChance(region.overhead_weight[static_cast<int>(Overhead::kScheduling)]))
      return false;
    const Distribution distribution = DistributionOf(region);
    if (!distribution.dynamic) {
      AddRefusal(region, Cause::kScheduling, RefusalReason::kStaticAlready, gain_ns);
      return false;
    }
    uint64_t chunks = 0;
    uint64_t iterations = 0;
    const Loop* most = nullptr;
    for (const Loop& loop : region.loops) {
      if (!IsLoop(loop) || loop.count == 0 || ScheduleOf(loop) == Schedule::kStatic) continue;
      chunks += loop.chunks;
      iterations += static_cast<uint64_t>(static_cast<double>(loop.iterations) / region.MeanTeam());
      if (most == nullptr || loop.iterations / loop.count > most->iterations / most->count) most = &loop;
    }
    // A chunk has an iteration at least. Threads that lack a processor let the others wait in the runtime's functions.
    const uint64_t pieces = chunks > 0 ? chunks : iterations;
    if (pieces > 0 && region.work_weight / pieces > kLongChunkNs) {
      AddRefusal(region, Cause::kScheduling, RefusalReason::kLongChunks, gain_ns);
      return false;
    }
    Advice& advice = Add(AdviceKind::kChunkTooSmall, region, gain_ns);
    advice.wait_ns = region.overhead_weight[static_cast<int>(Overhead::kScheduling)];
    advice.of_ns = region.team_ns;
    advice.threads = region.MeanTeam();
    if (most == nullptr) return true;
    advice.iterations = most->iterations / most->count;
    advice.count = most->chunks;
    const auto executions = static_cast<uint64_t>(static_cast<double>(most->count) / region.MeanTeam());
    advice.chunk = most->chunks > 0 ? std::max<uint64_t>(1, advice.iterations * executions / most->chunks) : 0;
    return true;
  }

  // Refuses waits for locks that have no advice.
  void Serialization(const Region& region, uint64_t potential_ns) {
    if (!run_.Worthwhile(potential_ns) || region.lock_wait_ns == 0) return;
    const uint64_t advised_ns = std::min(locks_.AdvisedNs(region.construct), region.lock_wait_ns);
    const double rest = 1 - static_cast<double>(advised_ns) / static_cast<double>(region.lock_wait_ns);
    const auto rest_ns = static_cast<uint64_t>(rest * static_cast<double>(potential_ns));
    if (!run_.Worthwhile(rest_ns)) return;
    AddRefusal(region, Cause::kSerialization, RefusalReason::kManyLocks, rest_ns).count =
        locks_.OtherLocks(region.construct);
  }

  bool HasTasks(const Region& region) const {
    return region.overhead_weight[static_cast<int>(Overhead::kTasking)] > 0 && tasks_ > 0;
  }

  // The work directly in the region, as far as few samples may have missed it (at 95 %: three periods of none).
  uint64_t WorkAtMostNs(const Region& region) const {
    const SamplingFacts& sampling = view_.run.first().sampling;
    if (!sampling.weighs_ns() || sampling.period == 0) return region.work_weight;
    const auto period = static_cast<double>(sampling.period);
    const double missed = 3 + 2 * std::sqrt(static_cast<double>(region.work_weight) / period);
    return region.work_weight + static_cast<uint64_t>(missed * period);
  }

  // Whether there is advice. Threads that wait for tiny tasks wait for the runtime: more tasks would make that worse.
  bool Tasking(const Region& region, const Gains& gains) {
    constexpr uint64_t kTinyNs = 1000;
    const bool tiny = tasks_ > 0 && WorkAtMostNs(region) / tasks_ < kTinyNs;
    const uint64_t gain_ns = gains[Cause::kTasking] + (tiny ? gains[Cause::kTaskWait] : 0);
    const uint64_t overhead = region.overhead_weight[static_cast<int>(Overhead::kTasking)];
    if (!run_.Worthwhile(gain_ns) || !(tiny || run_.IsBeyondChance(overhead))) return false;
    if (tasks_ == 0) {
      AddRefusal(region, Cause::kTasking, RefusalReason::kNoTasks, gain_ns);
      return false;
    }
    Advice& advice = Add(AdviceKind::kTasksTooFine, region, gain_ns);
    advice.wait_ns = overhead + (tiny ? region.task_wait_ns : 0);
    advice.of_ns = region.team_ns;
    advice.count = tasks_;
    advice.each_ns = region.work_weight / tasks_;
    advice.threads = region.MeanTeam();
    return true;
  }

  const AdviceRun& run_;
  const View& view_;
  Findings& findings_;
  const LockWaitsByRegion locks_;
  const bool disturbed_;
  const bool crowded_;
  bool tells_static_loops_ = false;
  uint64_t tasks_ = 0;
};

}  // namespace

void AdviseOnRegions(const AdviceRun& run, Findings* findings, std::vector<const Region*>* small) {
  RegionAdviser adviser(run, findings);
  for (const Region& region : run.view.regions) {
    if (region.MeanTeam() < 1.5 || region.elapsed_ns == 0) continue;
    const bool has_findings = adviser.Advise(region);
    if (!has_findings && region.nesting_level == 0) small->push_back(&region);
  }
}

}  // namespace ompprof::analyze
