// The processors that the process may use at its start. libgomp's constructor, which runs before ours, binds the
// initial thread to the first place.
#ifndef OMPPROF_PROFILER_COLLECT_BASE_START_AFFINITY_H_
#define OMPPROF_PROFILER_COLLECT_BASE_START_AFFINITY_H_

#include "profiler/collect/base/os.h"

namespace ompprof::collect {

// Read while the loader binds this library's calls, before any constructor. In a forked child, its parent's.
ProcessorSet ProcessorsAtStart();

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_BASE_START_AFFINITY_H_
