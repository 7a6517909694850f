// `ompprof merge --unify`: the processes of a job as one file, with the spread of its figures over the processes.
//
// Each worker of the team reads a share of the files into unified programs, and keeps each member's figures in a file
// without a name (member_log.h). If a process is in the files twice, the worker with the later of the two reads its
// share again without it (origins.h). Then the team
//   1. reduces the programs to worker 0, which gives the result to all;
//   2. puts the members of all workers into one order;
//   3. gets from worker 0 the plan of the figures, which needs names of functions (figures.h);
//   4. reduces the spreads of these figures to worker 0, which gives their means to all;
//   5. tells worker 0 how far each member is from the mean member, and what the member did when (member_times.h).
// Worker 0 writes the file. Its bytes do not depend on the number of workers.
#ifndef OMPPROF_PROFILER_UNIFY_UNIFY_JOB_H_
#define OMPPROF_PROFILER_UNIFY_UNIFY_JOB_H_

#include <cstdint>
#include <string>
#include <vector>

#include "profiler/model/status.h"
#include "profiler/unify/job_file.h"
#include "profiler/unify/team.h"

namespace ompprof::unify {

struct UnifyOptions {
  std::vector<std::string> files;  // of worker 0; the other workers learn them
  std::string output;
  Keep keep = Keep::kOutliers;
};

struct UnifyResult {
  // Fine, or why `output` was not written: a sentence.
  model::Status status;

  // A sentence for each input that was left out, and for processes in several files; and about object files without
  // names.
  std::vector<std::string> complaints;
  std::vector<std::string> warnings;

  uint64_t files_left_out = 0;
  uint64_t members = 0;
  uint64_t programs = 0;
  uint64_t outliers = 0;  // members that are kept because they differ most
  uint64_t bytes = 0;
};

// Called by all workers of the team with equal `keep`. Only worker 0's result counts.
UnifyResult UnifyJob(const UnifyOptions& options, Team* team);

}  // namespace ompprof::unify

#endif  // OMPPROF_PROFILER_UNIFY_UNIFY_JOB_H_
