// Compares the processes of a run, by MPI rank if they have ranks: how long each computed, and how long each waited.
// The text and JSON reports show the comparison.
#ifndef OMPPROF_PROFILER_ANALYZE_RANKS_H_
#define OMPPROF_PROFILER_ANALYZE_RANKS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "profiler/analyze/view.h"
#include "profiler/model/symbolizer.h"

namespace ompprof::analyze {

// One rank with all its processes (a rank may start further processes), or one process without a rank.
struct RankCost {
  std::string rank;  // as recorded; empty: none
  std::string host;  // host and pid belong to the first process
  uint64_t pid = 0;
  uint32_t processes = 0;
  uint32_t threads = 0;      // OpenMP threads; all threads of a process without OMPT
  uint64_t duration_ns = 0;  // wall time of the longest process
  uint64_t cpu_ns = 0;       // from the processes' clocks
  // Sampled weight, nanoseconds or events.
  uint64_t useful = 0;  // not waiting, not idle, not in the OpenMP runtime, not in MPI
  uint64_t mpi = 0;     // in MPI, where a rank mostly waits for other ranks
  uint64_t useful_samples = 0;
  // Exact; thread-time in the OpenMP runtime.
  uint64_t wait_ns = 0;  // inside regions
  Estimate wait_estimate;
};

struct Ranks {
  std::vector<RankCost> ranks;  // by the rank's number; processes without a rank last, in the order given
  uint64_t duration_ns = 0;     // of the longest rank

  // Useful time / (the rank's threads x the duration of the longest rank).
  double Efficiency(const RankCost& rank) const;

  // Maximum / mean of a figure over the ranks, less 1. 0 if the figure is 0 everywhere.
  double Imbalance(uint64_t RankCost::*figure) const;

  // The rank with the largest figure. `ranks` must not be empty.
  const RankCost& Largest(uint64_t RankCost::*figure) const;
  double Mean(uint64_t RankCost::*figure) const;
};

Ranks CompareRanks(const View& view, const model::Symbolizer& symbolizer);

// Whether a function belongs to MPI's interface ("MPI_Barrier", "PMPI_Recv") or lies in a library of an MPI
// implementation (libmpi.so.40, libmpich.so.12, libmpi_mpifh.so.40).
bool IsMpi(const std::string& function, const std::string& module);

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_RANKS_H_
