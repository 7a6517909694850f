#include "profiler/analyze/ranks.h"

#include <algorithm>

#include "profiler/analyze/concurrency.h"
#include "profiler/analyze/jobs.h"
#include "profiler/analyze/state_kind.h"
#include "profiler/analyze/summary.h"
#include "proto/ompt_state.h"

namespace ompprof::analyze {
namespace {

// A thread with less of the busiest thread's CPU time is MPI's.
constexpr double kLeastShareOfThread = 0.01;

constexpr size_t kNoRank = SIZE_MAX;

// The largest number of threads that lived at a time.
uint32_t AtATime(const ProcessFacts& process, const std::vector<const ThreadFacts*>& threads) {
  std::vector<Span> spans;
  for (const ThreadFacts* thread : threads) {
    spans.push_back(SpanOf(process, *thread));
    spans.back().end_ns = std::max(spans.back().end_ns, spans.back().begin_ns + 1);
  }
  const std::vector<uint32_t> slots = SlotsOf(spans);
  return slots.empty() ? 0 : *std::max_element(slots.begin(), slots.end()) + 1;
}

// The threads that could work.
std::vector<const ThreadFacts*> Workers(const ProcessFacts& process, bool uses_mpi) {
  std::vector<const ThreadFacts*> openmp;
  std::vector<const ThreadFacts*> all;
  uint64_t most_cpu_ns = 0;
  for (const ThreadFacts& thread : process.threads) {
    all.push_back(&thread);
    if (thread.is_openmp()) openmp.push_back(&thread);
    most_cpu_ns = std::max(most_cpu_ns, thread.cpu_ns);
  }
  if (!openmp.empty()) return openmp;
  if (!uses_mpi) return all;
  const double least = kLeastShareOfThread * static_cast<double>(most_cpu_ns);
  const auto is_mpis = [least](const ThreadFacts* thread) { return static_cast<double>(thread->cpu_ns) < least; };
  all.erase(std::remove_if(all.begin(), all.end(), is_mpis), all.end());
  return all;
}

RankCost CostOf(const View& view, const Job::Member& member, const MpiTime& mpi) {
  const RunFacts& run = view.run;
  const ProcessFacts& first = run.process(member.front());
  RankCost rank;
  rank.rank = first.rank;
  rank.host = first.host;
  rank.pid = first.pid;
  rank.processes = static_cast<uint32_t>(member.size());
  for (const uint32_t number : member) {
    const ProcessFacts& process = run.process(number);
    const std::vector<const ThreadFacts*> workers = Workers(process, mpi.uses[number]);
    rank.threads += AtATime(process, workers);
    for (const ThreadFacts* thread : workers) {
      const auto account = view.accounts.find({number, thread->id});
      if (account != view.accounts.end() && process.sampling.clock != "wall")
        rank.off_cpu_ns += account->second.off_cpu_ns();
    }
    rank.duration_ns = std::max(rank.duration_ns, process.duration_ns);
    rank.cpu_ns += process.cpu_ns;
  }
  return rank;
}

// Adds the samples and waits. `rank_of`: the rank of each process, or kNoRank.
void AddTimes(const View& view, const std::vector<size_t>& rank_of, Ranks* all) {
  for (const ViewSample& sample : view.samples) {
    if (rank_of[sample.process] == kNoRank) continue;
    RankCost& rank = all->ranks[rank_of[sample.process]];
    if (sample.state == kStateMpi) rank.mpi += sample.cost.weight;
    const Activity activity = ActivityOf(sample.state);
    if (activity != Activity::kWork && activity != Activity::kNoState) continue;
    rank.useful += sample.cost.weight;
    rank.useful_samples += sample.cost.samples;
  }
  for (const WaitTotal& wait : view.waits) {
    if (wait.charge || wait.state == OmptState::kIdle || rank_of[wait.process] == kNoRank) continue;
    RankCost& rank = all->ranks[rank_of[wait.process]];
    rank.wait_ns += wait.total_ns;
    rank.wait_estimate.Add(wait.estimate);
  }
}

}  // namespace

double Ranks::Efficiency(const RankCost& rank) const {
  const double all = static_cast<double>(jobs[rank.job - 1].duration_ns) * rank.threads;
  return all == 0 ? 0 : static_cast<double>(rank.useful) / all;
}

double Ranks::Mean(const RankedJob& job, uint64_t RankCost::*figure) const {
  double sum = 0;
  for (size_t i = 0; i < job.count; ++i) sum += static_cast<double>(ranks[job.first + i].*figure);
  return job.count == 0 ? 0 : sum / static_cast<double>(job.count);
}

const RankCost& Ranks::Largest(const RankedJob& job, uint64_t RankCost::*figure) const {
  const auto first = ranks.begin() + static_cast<std::ptrdiff_t>(job.first);
  return *std::max_element(first, first + static_cast<std::ptrdiff_t>(job.count),
                           [figure](const RankCost& a, const RankCost& b) { return a.*figure < b.*figure; });
}

double Ranks::Imbalance(const RankedJob& job, uint64_t RankCost::*figure) const {
  const double mean = Mean(job, figure);
  return mean == 0 ? 0 : static_cast<double>(Largest(job, figure).*figure) / mean - 1;
}

const RankedJob* Ranks::MainJob() const {
  const RankedJob* main = nullptr;
  double most_ns = -1;
  for (const RankedJob& job : jobs) {
    const double cpu_ns = Mean(job, &RankCost::cpu_ns) * static_cast<double>(job.count);
    if (job.count < 2 || cpu_ns <= most_ns) continue;
    main = &job;
    most_ns = cpu_ns;
  }
  return main;
}

Ranks CompareRanks(const View& view, const MpiTime& mpi) {
  const Jobs jobs = FindJobs(view.run);
  Ranks all;
  std::vector<size_t> rank_of(view.run.processes.size(), kNoRank);
  for (const Job& job : jobs.jobs) {
    const auto number = static_cast<uint32_t>(all.jobs.size() + 1);
    RankedJob& ranked = all.jobs.emplace_back();
    ranked = {job.program, number, all.ranks.size(), job.members.size(), 0};
    for (const Job::Member& member : job.members) {
      for (const uint32_t process : member) rank_of[process] = all.ranks.size();
      RankCost& rank = all.ranks.emplace_back(CostOf(view, member, mpi));
      rank.program = job.program;
      rank.job = number;
      ranked.duration_ns = std::max(ranked.duration_ns, rank.duration_ns);
    }
  }
  for (const uint32_t number : jobs.others) {
    const ProcessFacts& process = view.run.process(number);
    all.others.push_back({ProgramName(process), process.host, process.pid, process.cpu_ns});
  }
  AddTimes(view, rank_of, &all);
  return all;
}

}  // namespace ompprof::analyze
