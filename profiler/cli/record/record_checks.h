// Reasons for which the collector would not record, found before the program starts. `ompprof record` then refuses to
// start the program: a run of an hour without a profile helps nobody.
#ifndef OMPPROF_PROFILER_CLI_RECORD_RECORD_CHECKS_H_
#define OMPPROF_PROFILER_CLI_RECORD_RECORD_CHECKS_H_

#include <string>

#include "profiler/config/config.h"
#include "profiler/model/status.h"

namespace ompprof::cli {

// In `path`, the name that the collector gives to the profile, if this process becomes `program`. If `program` is a
// script, its interpreter's name stands in the place of the script's. Relative names begin at `folder`; if it is empty,
// the path stays empty. Makes the folder of the process's rank, if the name has one. The status has a sentence if the
// pattern of the name is not usable.
model::Status PlanProfile(const config::Config& config, const std::string& program, const std::string& folder,
                          std::string* path);

// Tries to write a file without a name in the folder of `path`. The name itself appears with the profile's header only:
// a process may be killed at any moment. An existing profile, device or pipe is fine: the collector takes another name
// or writes to it.
model::Status CheckWritable(const std::string& path);

// Whether this machine counts the event of --event, or the events of --count, for this user.
model::Status CheckEvent(const config::Config& config);

}  // namespace ompprof::cli

#endif  // OMPPROF_PROFILER_CLI_RECORD_RECORD_CHECKS_H_
