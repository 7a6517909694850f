#include "profiler/analyze/ranks.h"

#include <algorithm>
#include <cstdlib>
#include <map>

#include "profiler/analyze/summary.h"
#include "proto/ompt_state.h"

namespace ompprof::analyze {
namespace {

bool BeginsWith(const std::string& text, const char* beginning) { return text.rfind(beginning, 0) == 0; }

// By path: whether the path leads through MPI.
std::vector<bool> PathsInMpi(const View& view, const model::Symbolizer& symbolizer) {
  std::vector<bool> location_in_mpi(view.frames.location_count(), false);
  for (LocationId id = 1; id < view.frames.location_count(); ++id) {
    const Location& location = view.frames.location(id);
    for (uint32_t i = 0; i < location.line_count; ++i) {
      const ViewFunction& function = view.frames.function(view.frames.line(location.first_line + i).function);
      if (IsMpi(function.name, symbolizer.objects()[function.object].path)) location_in_mpi[id] = true;
    }
  }
  std::vector<bool> in_mpi(view.paths.size(), false);
  for (PathId path = 1; path < view.paths.size(); ++path) {
    const PathTree::Node& node = view.paths.node(path);
    in_mpi[path] = in_mpi[node.parent] || location_in_mpi[node.location];
  }
  return in_mpi;
}

uint32_t ThreadCount(const ProcessFacts& process) {
  const auto openmp = std::count_if(process.threads.begin(), process.threads.end(),
                                    [](const ThreadFacts& thread) { return thread.is_openmp(); });
  return static_cast<uint32_t>(openmp != 0 ? static_cast<size_t>(openmp) : process.threads.size());
}

// Orders ranks as numbers, "2" before "10". Names without a number come last.
bool RankLess(const std::string& a, const std::string& b) {
  char* end_a;
  char* end_b;
  const unsigned long long number_a = std::strtoull(a.c_str(), &end_a, 10);
  const unsigned long long number_b = std::strtoull(b.c_str(), &end_b, 10);
  const bool is_a = !a.empty() && *end_a == '\0';
  const bool is_b = !b.empty() && *end_b == '\0';
  if (is_a && is_b) return number_a < number_b;
  if (is_a != is_b) return is_a;
  return a.empty() != b.empty() ? b.empty() : a < b;
}

}  // namespace

bool IsMpi(const std::string& function, const std::string& module) {
  if (BeginsWith(function, "MPI_") || BeginsWith(function, "PMPI_")) return true;
  return BeginsWith(module.substr(module.rfind('/') + 1), "libmpi");
}

double Ranks::Efficiency(const RankCost& rank) const {
  const double all = static_cast<double>(duration_ns) * rank.threads;
  return all == 0 ? 0 : static_cast<double>(rank.useful) / all;
}

double Ranks::Mean(uint64_t RankCost::*figure) const {
  double sum = 0;
  for (const RankCost& rank : ranks) sum += static_cast<double>(rank.*figure);
  return ranks.empty() ? 0 : sum / static_cast<double>(ranks.size());
}

const RankCost& Ranks::Largest(uint64_t RankCost::*figure) const {
  return *std::max_element(ranks.begin(), ranks.end(),
                           [figure](const RankCost& a, const RankCost& b) { return a.*figure < b.*figure; });
}

double Ranks::Imbalance(uint64_t RankCost::*figure) const {
  const double mean = Mean(figure);
  return mean == 0 ? 0 : static_cast<double>(Largest(figure).*figure) / mean - 1;
}

Ranks CompareRanks(const View& view, const model::Symbolizer& symbolizer) {
  Ranks all;
  std::map<std::string, size_t> index;
  std::vector<size_t> rank_of(view.run.processes.size());
  for (uint32_t i = 0; i < view.run.processes.size(); ++i) {
    const ProcessFacts& process = view.run.process(i);
    size_t at = all.ranks.size();
    if (!process.rank.empty()) at = index.emplace(process.rank, at).first->second;
    if (at == all.ranks.size()) {
      all.ranks.emplace_back();
      all.ranks[at].rank = process.rank;
      all.ranks[at].host = process.host;
      all.ranks[at].pid = process.pid;
    }
    rank_of[i] = at;
    RankCost& rank = all.ranks[at];
    ++rank.processes;
    rank.threads += ThreadCount(process);
    rank.duration_ns = std::max(rank.duration_ns, process.duration_ns);
    rank.cpu_ns += process.cpu_ns;
    all.duration_ns = std::max(all.duration_ns, rank.duration_ns);
  }
  const std::vector<bool> in_mpi = PathsInMpi(view, symbolizer);
  for (const ViewSample& sample : view.samples) {
    RankCost& rank = all.ranks[rank_of[sample.process]];
    const Activity activity = ActivityOf(sample.state);
    if (activity != Activity::kWork && activity != Activity::kNoState) continue;
    if (in_mpi[sample.path]) {
      rank.mpi += sample.cost.weight;
    } else {
      rank.useful += sample.cost.weight;
      rank.useful_samples += sample.cost.samples;
    }
  }
  for (const WaitTotal& wait : view.waits) {
    if (wait.charge || wait.state == OmptState::kIdle) continue;
    RankCost& rank = all.ranks[rank_of[wait.process]];
    rank.wait_ns += wait.total_ns;
    rank.wait_estimate.Add(wait.estimate);
  }
  std::stable_sort(all.ranks.begin(), all.ranks.end(),
                   [](const RankCost& a, const RankCost& b) { return RankLess(a.rank, b.rank); });
  return all;
}

}  // namespace ompprof::analyze
