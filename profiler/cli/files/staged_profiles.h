// Profiles that grew in the folder of --stage and whose processes could not copy them: a signal has killed the process,
// or its disk was full.
#ifndef OMPPROF_PROFILER_CLI_FILES_STAGED_PROFILES_H_
#define OMPPROF_PROFILER_CLI_FILES_STAGED_PROFILES_H_

#include <string>

#include "profiler/model/status.h"

namespace ompprof::cli {

// Tries to write a file in the folder of --stage.
model::Status CheckStage(const std::string& folder);

// Copies the profiles of the run `run` below the folder `stage` to their names, and removes them from the folder.
// Leaves out profiles whose processes still write to them. Returns a sentence for each profile that stays.
std::string CopyStaged(const std::string& stage, const std::string& run);

// Starts a process that waits for the end of the program that this process is about to become, and then copies what the
// program could not copy. That process is no child of the program. It has the program's standard error, for sentences
// about profiles that stay where they are.
void StartStageKeeper(const std::string& stage, const std::string& run);

}  // namespace ompprof::cli

#endif  // OMPPROF_PROFILER_CLI_FILES_STAGED_PROFILES_H_
