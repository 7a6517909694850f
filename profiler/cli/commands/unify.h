// `ompprof merge --unify`: by threads, or by the processes that an MPI launcher started.
#ifndef OMPPROF_PROFILER_CLI_COMMANDS_UNIFY_H_
#define OMPPROF_PROFILER_CLI_COMMANDS_UNIFY_H_

#include <string>
#include <vector>

#include "profiler/unify/team.h"

namespace ompprof::cli {

struct UnifyArguments {
  std::vector<std::string> files;  // a folder stands for the profiles in it and below it
  std::string output;
  std::string keep = "outliers";
  int jobs = 1;
};

// The words of --keep.
std::vector<std::string> KeepWords();

// Unifies the files, and returns the exit status. Under an MPI launcher with several processes, this process becomes
// ompprof-mpi and the call does not return.
int RunUnify(const UnifyArguments& arguments);

// The part of one worker of a team. Worker 0 prints complaints and returns the exit status; the others return kSuccess.
int UnifyAsWorker(const UnifyArguments& arguments, unify::Team* team);

// The arguments of ompprof-mpi, and the reverse. Empty: they are not those of ompprof-mpi.
std::vector<std::string> ToWords(const UnifyArguments& arguments);
bool FromWords(const std::vector<std::string>& words, UnifyArguments* arguments);

}  // namespace ompprof::cli

#endif  // OMPPROF_PROFILER_CLI_COMMANDS_UNIFY_H_
