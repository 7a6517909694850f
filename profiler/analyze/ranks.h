// The processes of a run side by side, by MPI rank where they have one: who computed how long, and who waited for whom.
// The text and JSON reports are made from it.
#ifndef OMPPROF_PROFILER_ANALYZE_RANKS_H_
#define OMPPROF_PROFILER_ANALYZE_RANKS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "profiler/analyze/view.h"
#include "profiler/model/symbolizer.h"

namespace ompprof::analyze {

// One rank, with all processes that have its number (a rank may start others), or one process without a rank.
struct RankCost {
  std::string rank;  // as recorded; empty: none
  std::string host;  // of its first process, as pid
  uint64_t pid = 0;
  uint32_t processes = 0;
  uint32_t threads = 0;      // of OpenMP's; of a process without OMPT all
  uint64_t duration_ns = 0;  // wall time, of the process that took longest
  uint64_t cpu_ns = 0;       // by the processes' clocks
  // Sampled weight, nanoseconds or events.
  uint64_t useful = 0;  // neither waiting, idle or in the OpenMP runtime, nor in MPI
  uint64_t mpi = 0;     // in MPI, which mostly waits for other ranks there
  uint64_t useful_samples = 0;
  // Exact; thread-time in the OpenMP runtime.
  uint64_t wait_ns = 0;  // inside of regions
  Estimate wait_estimate;
};

struct Ranks {
  std::vector<RankCost> ranks;  // by rank, as numbers; those without one behind, as they were given
  uint64_t duration_ns = 0;     // the longest

  // The useful part of a rank's threads' time up to the end of the longest one's.
  double Efficiency(const RankCost& rank) const;

  // Maximum / mean over the ranks of one of their figures, less 1; 0 where the figure is.
  double Imbalance(uint64_t RankCost::*figure) const;

  // The rank with the largest figure. There must be one.
  const RankCost& Largest(uint64_t RankCost::*figure) const;
  double Mean(uint64_t RankCost::*figure) const;
};

Ranks CompareRanks(const View& view, const model::Symbolizer& symbolizer);

// True of a function of MPI's interface, or in a library of an MPI implementation: "MPI_Barrier", "PMPI_Recv", all in
// libmpi.so.40, libmpich.so.12, libmpi_mpifh.so.40.
bool IsMpi(const std::string& function, const std::string& module);

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_RANKS_H_
