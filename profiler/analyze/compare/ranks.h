// Compares the processes of a run, by MPI rank if they have ranks: how long each computed, and how long each waited.
// Processes are compared within their job (jobs.h), as a whole and in each parallel construct. The text and JSON
// reports show the comparison.
#ifndef OMPPROF_PROFILER_ANALYZE_COMPARE_RANKS_H_
#define OMPPROF_PROFILER_ANALYZE_COMPARE_RANKS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "profiler/analyze/account/mpi_time.h"
#include "profiler/analyze/view/view.h"

namespace ompprof::analyze {

// One rank with all its processes (a rank may start further processes of its program), or one process without a rank.
struct RankCost {
  std::string program;  // the file's name
  uint32_t job = 1;     // RankedJob::number
  std::string rank;     // as recorded; empty: none
  std::string host;     // host and pid belong to the first process
  uint64_t pid = 0;
  uint32_t processes = 0;
  uint32_t threads = 0;      // that lived at a time and could work: see CompareRanks
  uint64_t duration_ns = 0;  // wall time of the longest process
  uint64_t cpu_ns = 0;       // from the processes' clocks
  // Sampled weight, nanoseconds or events.
  uint64_t useful = 0;      // not waiting, not idle, not in the OpenMP runtime, not in MPI
  uint64_t useful_max = 0;  // of the busiest of `threads`
  uint64_t mpi = 0;         // in MPI, where a rank mostly waits for other ranks
  uint64_t useful_samples = 0;
  uint64_t off_cpu_ns = 0;  // of the threads that could work: see ThreadAccount; 0 with --clock=wall, whose samples
                            // contain sleep; not part of the two above
  // Exact; thread-time in the OpenMP runtime.
  uint64_t wait_ns = 0;  // inside regions
  Estimate wait_estimate;
};

// A job's place in Ranks::ranks, where its members are neighbours.
struct RankedJob {
  std::string program;
  uint32_t number = 1;
  size_t first = 0;
  size_t count = 0;
  uint64_t duration_ns = 0;  // of the longest member
};

// A parallel construct in the ranks of a job, or all code outside of regions. Nested constructs are not part of it. The
// figures are sampled weight. A profile does not tell for whom a rank waits in MPI. So the ranks' time in MPI stands
// beside the late rank's lateness, and is not charged to it.
struct RankRegion {
  FunctionId construct = kNoFunction;  // kNoFunction: outside of regions
  uint32_t job = 1;                    // RankedJob::number
  uint64_t useful = 0;                 // of all ranks
  uint64_t mpi = 0;                    // of all ranks, inside the construct
  size_t late = 0;                     // index into Ranks::ranks: the rank with the largest useful time here
  uint64_t late_useful = 0;
  uint64_t late_samples = 0;  // behind late_useful
  // The other ranks in MPI, in the construct and elsewhere.
  uint64_t others_mpi = 0;
  size_t most_mpi = 0;  // index into Ranks::ranks: of the other ranks, the one with most
};

// A process that is in no figure of the comparison.
struct OtherProcess {
  std::string program;
  std::string host;
  uint64_t pid = 0;
  uint64_t cpu_ns = 0;
};

struct Ranks {
  std::vector<RankCost> ranks;  // by job, and by the rank's number
  std::vector<RankedJob> jobs;  // jobs of ranks first, then by start
  // Of jobs with several ranks: by job, and by lateness in it, descending. Constructs with useful time.
  std::vector<RankRegion> regions;
  std::vector<OtherProcess> others;

  // Useful time / (the rank's threads x the duration of the longest rank of its job).
  double Efficiency(const RankCost& rank) const;

  // Maximum / mean of a figure over the job's ranks, less 1. 0 if the figure is 0 everywhere.
  double Imbalance(const RankedJob& job, uint64_t RankCost::*figure) const;

  // Maximum / mean of the useful time of a rank's threads, less 1.
  static double ThreadImbalance(const RankCost& rank);

  // The mean useful time of the job's ranks in a construct, and how much longer the late rank takes there.
  double Mean(const RankRegion& region) const;
  double LateBy(const RankRegion& region) const { return static_cast<double>(region.late_useful) - Mean(region); }

  // The job's rank with the largest figure.
  const RankCost& Largest(const RankedJob& job, uint64_t RankCost::*figure) const;
  double Mean(const RankedJob& job, uint64_t RankCost::*figure) const;

  // The job of several ranks with the most CPU time; null: no job has several.
  const RankedJob* MainJob() const;
};

// A process's threads are its OpenMP threads, or without OMPT all its threads. A process
// that uses MPI without OMPT also has threads of MPI's own. There, threads with less than 1 % of the busiest thread's
// CPU time do not count.
// Threads that follow each other count as one thread.
Ranks CompareRanks(const View& view, const MpiTime& mpi);

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_COMPARE_RANKS_H_
