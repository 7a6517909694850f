#include "profiler/analyze/advice/processor_advice.h"

#include <algorithm>

#include "profiler/analyze/advice/advice_run.h"
#include "profiler/analyze/builder/account_threads.h"

namespace ompprof::analyze {
namespace {

// The part of their working time in which threads lack a processor, from which on it is worth a word.
constexpr double kLackingShare = 0.1;
// Teams are means, so a few teams of another size make no difference.
constexpr double kMoreThan = 1.05;
// Other programs matter if they keep this part of the processors busy.
constexpr double kOthersShare = 0.1;
// A process that uses this part of its control group's limit runs into it.
constexpr double kQuotaShare = 0.7;

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

bool IsDisturbed(const AdviceRun& run) {
  return LackProcessors(run) ||
         run.view.run.cpus_of_others() >= kOthersShare * std::max(ProcessorsAtATime(run.view.run), 1.0);
}

double LackingShare(const AdviceRun& run) {
  if (ThreadsShareProcessors(run.view)) return DelayShare(run.view.run);
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
    const bool too_many = threads_ > cpus_ * kMoreThan;
    if (MeetsQuota(run_.view.run)) {
      Add(AdviceKind::kCpuQuota);
    } else if (too_many) {
      Add(threads_ <= online_ ? AdviceKind::kAffinityMask : AdviceKind::kTooManyThreads);
    }
    if (others_ >= kOthersShare * cpus_) Add(AdviceKind::kBusyMachine);
  }

 private:
  // What a processor for each thread would save is not known.
  void Add(AdviceKind kind) {
    Advice& advice = AddAdvice(kind, kNoFunction, 0, &advice_);
    advice.threads = threads_;
    advice.cpus = cpus_;
    advice.online_cpus = online_;
    advice.others_cpus = others_;
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
};

}  // namespace

void AdviseOnProcessors(const AdviceRun& run, std::vector<Advice>* advice) { ProcessorAdviser(run, advice).Run(); }

}  // namespace ompprof::analyze
