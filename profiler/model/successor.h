// The profile of what a process became by exec. Commands that read a profile say where it is: `ompprof record` in front
// of numactl or a script gives that one's profile the name, and the program's own the next free one.
#ifndef OMPPROF_PROFILER_MODEL_SUCCESSOR_H_
#define OMPPROF_PROFILER_MODEL_SUCCESSOR_H_

#include <string>

#include "profiler/model/process_profile.h"

namespace ompprof::model {

// Among the files in the folder of `profile`'s. Empty if the process did not end by exec, or there is none.
std::string FindSuccessor(const ProcessProfile& profile);

}  // namespace ompprof::model

#endif  // OMPPROF_PROFILER_MODEL_SUCCESSOR_H_
