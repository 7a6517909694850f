// Sorts a run's processes into jobs: processes of one program that ran at the same time. Launchers, shells and small
// helper processes are in no job. The comparison of ranks uses the jobs.
#ifndef OMPPROF_PROFILER_ANALYZE_COMPARE_JOBS_H_
#define OMPPROF_PROFILER_ANALYZE_COMPARE_JOBS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "profiler/analyze/view/run_facts.h"

namespace ompprof::analyze {

// The ranks of one program that ran at the same time, or its processes without ranks that did. A moment exists in which
// all members run. A rank number that occurs twice, one process after the other, makes two jobs.
struct Job {
  // The processes of one rank, or one process without a rank: indexes into RunFacts::processes. A rank's first process
  // comes first. The others are processes of the same program that the first process started.
  using Member = std::vector<uint32_t>;

  std::string program;          // see ProgramName
  std::vector<Member> members;  // by the rank's number; processes without a rank in the order of their starts
};

struct Jobs {
  std::vector<Job> jobs;         // jobs of ranks first, then by start
  std::vector<uint32_t> others;  // the processes in no job: indexes into RunFacts::processes
};

// A process is in no job if
// - its program is a launcher of MPI programs or a shell, or
// - it has no OpenMP, used less than 1 % of the largest process's CPU time, and has no rank or only serves its rank: a
//   wrapper that starts the rank's program, or a helper that this program starts.
// A run of one process is always a job.
Jobs FindJobs(const RunFacts& run);

// The program's file name without its folder.
std::string ProgramName(const ProcessFacts& process);

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_COMPARE_JOBS_H_
