#include "profiler/analyze/compare/ranks.h"

#include <algorithm>
#include <map>
#include <utility>

#include "profiler/analyze/account/summary.h"
#include "profiler/analyze/compare/jobs.h"
#include "profiler/analyze/view/concurrency.h"
#include "profiler/analyze/view/state_kind.h"
#include "proto/ompt_state.h"

namespace ompprof::analyze {
namespace {

// A thread with less of the busiest thread's CPU time is MPI's.
constexpr double kLeastShareOfThread = 0.01;

constexpr size_t kNoRank = SIZE_MAX;

// The slots of threads (concurrency.h).
std::vector<uint32_t> Slots(const ProcessFacts& process, const std::vector<const ThreadFacts*>& threads) {
  std::vector<Span> spans;
  for (const ThreadFacts* thread : threads) {
    spans.push_back(SpanOf(process, *thread));
    spans.back().end_ns = std::max(spans.back().end_ns, spans.back().begin_ns + 1);
  }
  return SlotsOf(spans);
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

using ThreadWeights = std::map<std::pair<uint32_t, uint32_t>, uint64_t>;  // by process and Thread.id

// Adds a process of the rank. `useful`: the useful time of each thread.
void AddProcess(const View& view, uint32_t number, const MpiTime& mpi, const ThreadWeights& useful, RankCost* rank) {
  const ProcessFacts& process = view.run.process(number);
  const std::vector<const ThreadFacts*> workers = Workers(process, mpi.uses[number]);
  const std::vector<uint32_t> slots = Slots(process, workers);
  std::vector<uint64_t> of_slots;
  for (size_t i = 0; i < workers.size(); ++i) {
    if (slots[i] >= of_slots.size()) of_slots.resize(slots[i] + 1);
    const auto found = useful.find({number, workers[i]->id});
    if (found != useful.end()) of_slots[slots[i]] += found->second;
    const auto account = view.accounts.find({number, workers[i]->id});
    if (account != view.accounts.end() && process.sampling.clock != "wall")
      rank->off_cpu_ns += account->second.off_cpu_ns();
  }
  rank->threads += static_cast<uint32_t>(of_slots.size());
  for (const uint64_t weight : of_slots) rank->useful_max = std::max(rank->useful_max, weight);
  rank->duration_ns = std::max(rank->duration_ns, process.duration_ns);
  rank->cpu_ns += process.cpu_ns;
}

RankCost CostOf(const View& view, const Job::Member& member, const MpiTime& mpi, const ThreadWeights& useful) {
  const ProcessFacts& first = view.run.process(member.front());
  RankCost rank;
  rank.rank = first.rank;
  rank.host = first.host;
  rank.pid = first.pid;
  rank.processes = static_cast<uint32_t>(member.size());
  for (const uint32_t number : member) AddProcess(view, number, mpi, useful, &rank);
  return rank;
}

bool IsUseful(const ViewSample& sample) {
  const Activity activity = ActivityOf(sample.state);
  return activity == Activity::kWork || activity == Activity::kNoState;
}

ThreadWeights UsefulOfThreads(const View& view) {
  ThreadWeights useful;
  for (const ViewSample& sample : view.samples) {
    if (IsUseful(sample) && sample.cost.weight > 0) useful[{sample.process, sample.thread}] += sample.cost.weight;
  }
  return useful;
}

// Adds the samples and waits. `rank_of`: the rank of each process, or kNoRank.
void AddTimes(const View& view, const std::vector<size_t>& rank_of, Ranks* all) {
  for (const ViewSample& sample : view.samples) {
    if (rank_of[sample.process] == kNoRank) continue;
    RankCost& rank = all->ranks[rank_of[sample.process]];
    if (sample.state == kStateMpi) rank.mpi += sample.cost.weight;
    if (!IsUseful(sample)) continue;
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

struct InRegion {
  std::map<size_t, Cost> useful;  // by index into Ranks::ranks
  uint64_t mpi = 0;
};

// Of the job's ranks without `late`, the one with most time in MPI.
size_t MostInMpi(const Ranks& all, const RankedJob& job, size_t late) {
  size_t most = late == job.first ? job.first + 1 : job.first;
  for (size_t i = job.first; i < job.first + job.count; ++i) {
    if (i != late && all.ranks[i].mpi > all.ranks[most].mpi) most = i;
  }
  return most;
}

RankRegion CompareRegion(const Ranks& all, const RankedJob& job, FunctionId construct, const InRegion& figures) {
  RankRegion region;
  region.construct = construct;
  region.job = job.number;
  region.mpi = figures.mpi;
  for (const auto& [rank, cost] : figures.useful) {
    region.useful += cost.weight;
    if (cost.weight <= region.late_useful) continue;
    region.late = rank;
    region.late_useful = cost.weight;
    region.late_samples = cost.samples;
  }
  if (region.late_useful == 0) return region;
  for (size_t i = job.first; i < job.first + job.count; ++i) {
    if (i != region.late) region.others_mpi += all.ranks[i].mpi;
  }
  region.most_mpi = MostInMpi(all, job, region.late);
  return region;
}

// Adds the members of a unified process as a job of ranks, without the regions. False: the file does not tell them.
bool AddUnifiedJob(const View& view, uint32_t process, Ranks* all) {
  const auto number = static_cast<uint32_t>(all->jobs.size() + 1);
  RankedJob job = {ProgramName(view.run.process(process)), number, all->ranks.size(), 0, 0};
  for (const JobMember& member : view.job_members) {
    if (member.process != process) continue;
    RankCost& rank = all->ranks.emplace_back();
    rank.program = job.program;
    rank.job = number;
    rank.rank = member.rank;
    rank.host = member.host;
    rank.pid = member.pid;
    rank.processes = 1;
    rank.threads = member.threads;
    rank.duration_ns = member.duration_ns;
    rank.cpu_ns = member.cpu_ns;
    rank.useful = member.useful;
    rank.useful_max = member.useful_max;
    rank.mpi = member.mpi;
    rank.wait_ns = member.wait_ns;
    job.duration_ns = std::max(job.duration_ns, rank.duration_ns);
    ++job.count;
  }
  if (job.count > 0) all->jobs.push_back(job);
  return job.count > 0;
}

// The place in `all` of a unified process's member, by its rank. kNoRank: not found.
size_t FindRank(const Ranks& all, const RankedJob& job, const std::string& rank) {
  for (size_t i = job.first; i < job.first + job.count; ++i) {
    if (all.ranks[i].rank == rank) return i;
  }
  return kNoRank;
}

// The regions of a unified process, from their figures.
void AddUnifiedRegions(const View& view, uint32_t process, const RankedJob& job, Ranks* all) {
  uint64_t all_mpi = 0;
  for (size_t i = job.first; i < job.first + job.count; ++i) all_mpi += all->ranks[i].mpi;
  std::map<std::pair<std::string, std::string>, FunctionId> constructs;
  for (const Region& region : view.regions) {
    const ViewFunction& function = view.frames.function(region.construct);
    constructs.emplace(std::make_pair(function.name, function.file), region.construct);
  }
  std::map<std::pair<std::string, std::string>, uint64_t> mpi;
  for (const JobFigure& figure : view.job_figures) {
    if (figure.process == process && figure.kind == FigureKind::kRegion && figure.metric == FigureMetric::kMpi)
      mpi[{figure.name, figure.file}] = figure.sum;
  }
  for (const JobFigure& figure : view.job_figures) {
    if (figure.process != process || figure.kind != FigureKind::kRegion || figure.metric != FigureMetric::kWork)
      continue;
    const auto construct = constructs.find({figure.name, figure.file});
    const size_t late = FindRank(*all, job, figure.max_member);
    if (late == kNoRank || (construct == constructs.end() && !figure.name.empty())) continue;
    RankRegion& region = all->regions.emplace_back();
    region.construct = figure.name.empty() ? kNoFunction : construct->second;
    region.job = job.number;
    region.useful = figure.sum;
    region.mpi = mpi[{figure.name, figure.file}];
    region.late = late;
    region.late_useful = figure.max;
    region.others_mpi = all_mpi - all->ranks[late].mpi;
    region.most_mpi = MostInMpi(*all, job, late);
  }
}

// `unified`: unified processes, with the numbers of their jobs.
void CompareRegions(const View& view, const std::vector<size_t>& rank_of,
                    const std::vector<std::pair<uint32_t, uint32_t>>& unified, Ranks* all) {
  std::map<std::pair<uint32_t, FunctionId>, InRegion> regions;  // by job
  for (const ViewSample& sample : view.samples) {
    const size_t rank = rank_of[sample.process];
    if (rank == kNoRank || all->jobs[all->ranks[rank].job - 1].count < 2) continue;
    if (sample.state != kStateMpi && !IsUseful(sample)) continue;
    InRegion& region = regions[{all->ranks[rank].job, sample.region}];
    if (sample.state == kStateMpi)
      region.mpi += sample.cost.weight;
    else
      region.useful[rank].Add(sample.cost.samples, sample.cost.weight);
  }
  for (const auto& [at, figures] : regions) {
    const RankRegion region = CompareRegion(*all, all->jobs[at.first - 1], at.second, figures);
    if (region.late_useful > 0) all->regions.push_back(region);
  }
  for (const auto& [process, job] : unified) {
    if (all->jobs[job - 1].count > 1) AddUnifiedRegions(view, process, all->jobs[job - 1], all);
  }
  std::stable_sort(all->regions.begin(), all->regions.end(), [all](const RankRegion& a, const RankRegion& b) {
    return a.job != b.job ? a.job < b.job : all->LateBy(a) > all->LateBy(b);
  });
}

}  // namespace

double Ranks::Efficiency(const RankCost& rank) const {
  const double all = static_cast<double>(jobs[rank.job - 1].duration_ns) * rank.threads;
  return all == 0 ? 0 : static_cast<double>(rank.useful) / all;
}

double Ranks::ThreadImbalance(const RankCost& rank) {
  if (rank.useful == 0) return 0;
  return std::max(0.0, static_cast<double>(rank.useful_max) * rank.threads / static_cast<double>(rank.useful) - 1);
}

double Ranks::Mean(const RankRegion& region) const {
  return static_cast<double>(region.useful) / static_cast<double>(jobs[region.job - 1].count);
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
  const ThreadWeights useful = UsefulOfThreads(view);
  Ranks all;
  std::vector<size_t> rank_of(view.run.processes.size(), kNoRank);
  std::vector<std::pair<uint32_t, uint32_t>> unified;
  for (const Job& job : jobs.jobs) {
    const uint32_t first = job.members.front().front();
    if (view.run.process(first).members > 1) {
      if (AddUnifiedJob(view, first, &all)) unified.emplace_back(first, static_cast<uint32_t>(all.jobs.size()));
      continue;
    }
    const auto number = static_cast<uint32_t>(all.jobs.size() + 1);
    RankedJob& ranked = all.jobs.emplace_back();
    ranked = {job.program, number, all.ranks.size(), job.members.size(), 0};
    for (const Job::Member& member : job.members) {
      for (const uint32_t process : member) rank_of[process] = all.ranks.size();
      RankCost& rank = all.ranks.emplace_back(CostOf(view, member, mpi, useful));
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
  CompareRegions(view, rank_of, unified, &all);
  return all;
}

}  // namespace ompprof::analyze
