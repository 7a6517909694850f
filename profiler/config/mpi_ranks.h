// What the environment tells of MPI: this process's rank, the number of ranks, the job, and the ranks that --ranks
// selects. libc only.
//
// A child of a rank inherits the rank's environment, and so its rank: a script under a launcher, for example.
#ifndef OMPPROF_PROFILER_CONFIG_MPI_RANKS_H_
#define OMPPROF_PROFILER_CONFIG_MPI_RANKS_H_

#include <stddef.h>
#include <stdint.h>

#include "profiler/config/rows.h"

namespace ompprof::config {

// The variables of one launcher. NULL: the launcher has no such variable.
struct RankVariables {
  const char* launcher;
  const char* rank;
  const char* ranks;
  const char* other_ranks;  // is read if `ranks` is not set
};

// In the order in which they are looked at: the library that started the ranks before the machine's own launcher, which
// may have started the library's launcher once on each node.
Rows<RankVariables> Launchers();

// The rank, by the first launcher with a rank that begins with a digit; "" if there is none.
const char* MpiRank();

// How many ranks the job has, by the same launcher, or else by the first launcher with a larger number than the rank.
// 0: unknown. All ranks of a job find the same number.
uint64_t MpiRanks();

// The name of the MPI job that this process is a rank of, by the launcher's variables; "" if none names it.
const char* MpiJob();

// The step of that job, if the variable that names the job does not tell it: a Slurm script can run several programs,
// one after the other. "" for other launchers.
const char* MpiJobStep();

// Whether `list` selects `rank`: "0,7,100-120" has numbers and ranges, and 1/64 among them is every 64th rank, from 0.
// A process that is no rank (""), and an empty list, are selected.
bool IsRankSelected(const char* list, const char* rank);

// Whether `list` is such a list.
bool IsRankList(const char* list);

}  // namespace ompprof::config

#endif  // OMPPROF_PROFILER_CONFIG_MPI_RANKS_H_
