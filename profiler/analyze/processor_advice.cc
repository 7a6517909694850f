#include "profiler/analyze/processor_advice.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <string>

#include "profiler/analyze/account_threads.h"
#include "profiler/analyze/advice_run.h"
#include "profiler/analyze/confidence.h"
#include "profiler/analyze/state_kind.h"

namespace ompprof::analyze {
namespace {

// The part of their working time in which threads lack a processor, from which on it is worth a word.
constexpr double kLackingShare = 0.1;
// Teams are means, so a few teams of another size make no difference.
constexpr double kMoreThan = 1.05;
// Other programs matter if they keep this part of the processors busy.
constexpr double kOthersShare = 0.1;
// The time until a sleeping thread runs again, for each barrier: 30 to 70 us on virtual machines.
constexpr uint64_t kWakeNs = 70000;
// A process that uses this part of its control group's limit runs into it.
constexpr double kQuotaShare = 0.7;

bool IsPassive(const RunFacts& run) {
  for (const ProcessFacts& process : run.processes) {
    for (const std::string& setting : process.settings) {
      if (setting.rfind("OMP_WAIT_POLICY=", 0) != 0) continue;
      if (setting.find("assive") != std::string::npos || setting.find("ASSIVE") != std::string::npos) return true;
    }
  }
  return false;
}

// The threads of the largest outermost team, or one if there is no region, times the processes that ran at a time.
double Threads(const AdviceRun& run) {
  double team = 1;
  for (const Region& region : run.view.regions) {
    if (region.nesting_level == 0) team = std::max(team, region.MeanTeam());
  }
  return team * run.processes;
}

// The processors that the process uses on average.
double UsedProcessors(const ProcessFacts& process) {
  return process.duration_ns == 0 ? 0 : static_cast<double>(process.cpu_ns) / static_cast<double>(process.duration_ns);
}

bool MeetsQuota(const RunFacts& run) {
  return std::any_of(run.processes.begin(), run.processes.end(), [](const ProcessFacts& process) {
    const double quota = process.machine.cpu_quota_milli / 1000.0;
    return quota > 0 && quota < process.machine.cpus && UsedProcessors(process) >= kQuotaShare * quota;
  });
}

}  // namespace

bool HasTooManyThreads(const AdviceRun& run) {
  const double cpus = ProcessorsAtATime(run.view.run);
  return cpus > 0 && std::max(Threads(run), static_cast<double>(run.efficiency.threads)) > cpus * kMoreThan;
}

bool IsDisturbed(const AdviceRun& run) {
  return LackProcessors(run) ||
         run.view.run.cpus_of_others() >= kOthersShare * std::max(ProcessorsAtATime(run.view.run), 1.0);
}

double LackingShare(const AdviceRun& run) {
  if (ThreadsShareProcessors(run.view)) return DelayShare(run.view);
  const ThreadAccount all = OpenmpThreads(run.view);
  const uint64_t working_ns = all.on_cpu_ns + all.off_cpu_ns();
  return working_ns == 0 ? 0 : static_cast<double>(all.ready_ns) / static_cast<double>(working_ns);
}

double ProcessorShare(const View& view) {
  ThreadAccount all;
  for (const auto& [thread, account] : view.accounts) all.Add(account);
  if (all.lifetime_ns == 0) return 1;
  return 1 - static_cast<double>(std::min(all.ready_ns, all.lifetime_ns)) / static_cast<double>(all.lifetime_ns);
}

bool LackProcessors(const AdviceRun& run) {
  if (ProcessorsAtATime(run.view.run) == 0) return false;
  const ThreadAccount all = OpenmpThreads(run.view);
  const uint64_t lacking_ns = ThreadsShareProcessors(run.view) ? all.delay_ns : all.ready_ns;
  // Time without a processor in a run that hardly works is no matter.
  return LackingShare(run) >= kLackingShare &&
         static_cast<double>(lacking_ns) >= kWorthwhile * static_cast<double>(run.efficiency.duration_ns);
}

namespace {

class ProcessorAdviser {
 public:
  ProcessorAdviser(const AdviceRun& run, std::vector<Advice>* advice)
      : run_(run),
        advice_(*advice),
        all_(OpenmpThreads(run.view)),
        threads_(Threads(run)),
        cpus_(ProcessorsAtATime(run.view.run)),
        others_(run.view.run.cpus_of_others()),
        crowded_(ThreadsShareProcessors(run.view)) {
    for (const ProcessFacts& process : run.view.run.processes) online_ = std::max(online_, process.machine.online_cpus);
  }

  void Run() {
    if (!LackProcessors(run_)) return;
    if (HasTooManyThreads(run_)) {
      const uint64_t gain = SpinningGainNs();
      if (run_.Worthwhile(gain)) Add(AdviceKind::kWaitPolicy, gain);
    }
    const bool too_many = threads_ > cpus_ * kMoreThan;
    if (MeetsQuota(run_.view.run)) {
      Add(AdviceKind::kCpuQuota, 0);
    } else if (too_many) {
      Add(threads_ <= online_ ? AdviceKind::kAffinityMask : AdviceKind::kTooManyThreads, 0);
    }
    if (others_ >= kOthersShare * cpus_) Add(AdviceKind::kBusyMachine, 0);
  }

 private:
  // The wall time that the run saves if waiting threads sleep. While a thread spins, another thread of this program may
  // lack its processor. So the saving is no larger than the processor time that was spun away: other programs take
  // their part of what is freed, so it is divided by all processors. And it is no larger than the time in which threads
  // with work had no processor: the part of it that other programs do not explain. Threads that sleep have to be woken
  // at each barrier.
  uint64_t SpinningGainNs() {
    if (IsPassive(run_.view.run)) return 0;
    // A team of one thread waits for nobody.
    std::set<FunctionId> alone;
    for (const Region& region : run_.view.regions) {
      if (region.team_max <= 1) alone.insert(region.construct);
    }
    for (const ViewSample& sample : run_.view.samples) {
      if (!sample.own && IsMeasuredWait(sample.state) && alone.count(sample.region) == 0)
        spun_ns_ += sample.cost.weight;
    }
    if (!run_.view.run.weighs_ns()) return 0;
    // At least: samples tell this time, and few of them tell little.
    const uint64_t least_ns = spun_ns_ - std::min(spun_ns_, WeightError(run_.view, spun_ns_));
    const double too_many = std::max(threads_, static_cast<double>(run_.efficiency.threads)) - cpus_;
    const double own = too_many / (too_many + others_);
    const double saved =
        std::min(static_cast<double>(least_ns) / cpus_ * run_.processes, own * static_cast<double>(all_.ready_ns));
    const auto waking = static_cast<double>(run_.barriers.AllMeetings() * kWakeNs);
    return run_.OfEachProcess(std::max(0.0, saved - waking));
  }

  void Add(AdviceKind kind, uint64_t gain_ns) {
    Advice& advice = AddAdvice(kind, kNoFunction, gain_ns, &advice_);
    advice.threads = threads_;
    advice.cpus = cpus_;
    advice.online_cpus = online_;
    advice.others_cpus = others_;
    if (kind == AdviceKind::kWaitPolicy) {
      advice.threads = std::max(threads_, static_cast<double>(run_.efficiency.threads));
      advice.wait_ns = spun_ns_;
      advice.of_ns = run_.view.total_weight;
      return;
    }
    advice.in_waits = crowded_;
    advice.wait_ns = crowded_ ? all_.delay_ns : all_.ready_ns;
    advice.of_ns = crowded_ ? all_.cpu_ns + all_.delay_ns : all_.on_cpu_ns + all_.off_cpu_ns();
  }

  const AdviceRun& run_;
  std::vector<Advice>& advice_;
  ThreadAccount all_;
  double threads_;
  double cpus_;
  double others_;
  bool crowded_;
  uint32_t online_ = 0;
  uint64_t spun_ns_ = 0;
};

}  // namespace

void AdviseOnProcessors(const AdviceRun& run, std::vector<Advice>* advice) { ProcessorAdviser(run, advice).Run(); }

}  // namespace ompprof::analyze
