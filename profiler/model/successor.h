// Finds the profile of the program that a process became by exec. Commands that read a profile tell its place. `ompprof
// record` in front of numactl or a script gives the name to the profile of numactl or the script, and the next free
// name to the profile of the program.
#ifndef OMPPROF_PROFILER_MODEL_SUCCESSOR_H_
#define OMPPROF_PROFILER_MODEL_SUCCESSOR_H_

#include <string>

#include "profiler/model/process_profile.h"

namespace ompprof::model {

// Among the files in the folder of `profile`'s. Empty if the process did not end by exec, or there is none.
std::string FindSuccessor(const ProcessProfile& profile);

}  // namespace ompprof::model

#endif  // OMPPROF_PROFILER_MODEL_SUCCESSOR_H_
