// Finds the profile of the program that a process became by exec. Commands that read a profile tell the place of the
// found profile. An example is `ompprof record` in front of numactl or a script. The profile of numactl gets the name
// that the user gave; the profile of the program gets the next free name.
#ifndef OMPPROF_PROFILER_MODEL_SUCCESSOR_H_
#define OMPPROF_PROFILER_MODEL_SUCCESSOR_H_

#include <string>

#include "profiler/model/process_profile.h"

namespace ompprof::model {

// Searches the folder of `profile`. Empty if the process did not end by exec, or if the folder has no such profile.
std::string FindSuccessor(const ProcessProfile& profile);

}  // namespace ompprof::model

#endif  // OMPPROF_PROFILER_MODEL_SUCCESSOR_H_
