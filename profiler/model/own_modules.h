// Tells which modules of a process belong to the profiler. The symbolizer and the analyses ask it.
#ifndef OMPPROF_PROFILER_MODEL_OWN_MODULES_H_
#define OMPPROF_PROFILER_MODEL_OWN_MODULES_H_

#include <cstdint>
#include <set>

#include "profiler/model/process_profile.h"

namespace ompprof::model {

// The values of Module.id that the collector marked: its own module, and its shim for libgomp. Old collectors did not
// mark modules; in their profiles, the file names tell.
std::set<uint32_t> OwnModules(const ProcessProfile& process);

}  // namespace ompprof::model

#endif  // OMPPROF_PROFILER_MODEL_OWN_MODULES_H_
