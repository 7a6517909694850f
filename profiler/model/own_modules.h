// Tells which modules of a process belong to the profiler. The symbolizer and the analyses ask it.
#ifndef OMPPROF_PROFILER_MODEL_OWN_MODULES_H_
#define OMPPROF_PROFILER_MODEL_OWN_MODULES_H_

#include <cstdint>
#include <set>

#include "profiler/model/process_profile.h"

namespace ompprof::model {

// Module.id of the collector's module and of its shim's for libgomp, as the collector marked them. Collectors that did
// not mark modules yet: by the names of their files.
std::set<uint32_t> OwnModules(const ProcessProfile& process);

}  // namespace ompprof::model

#endif  // OMPPROF_PROFILER_MODEL_OWN_MODULES_H_
