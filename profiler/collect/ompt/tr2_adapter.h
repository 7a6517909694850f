// Runtimes that speak OMPT as in Technical Report 2 (spec 003) or in the draft after it (spec 004): LLVM 3.7 to 5. Both
// name threads, regions and tasks by numbers, and have no data words, no return addresses and no thread numbers. They
// differ in the symbol by which the runtime finds the tool, and in frames.
#ifndef OMPPROF_PROFILER_COLLECT_OMPT_TR2_ADAPTER_H_
#define OMPPROF_PROFILER_COLLECT_OMPT_TR2_ADAPTER_H_

#include <omp-tools.h>

#include "profiler/collect/tasks/entry_points.h"

namespace ompprof::collect {

// Finds the runtime's entry points, and registers the adapter's own callbacks for the events from which it learns the
// tasks of each thread. `*entry_points` take and give values of OpenMP 5.x; those that the handler uses are
// async-signal-safe. `finalize` is called when the runtime shuts down. `reenters_as_runtime`: the frame with which a
// task enters the runtime is the runtime's, as in Technical Report 2, and not the user's, as in the draft. Called in
// the tool's initializer. A process has one such runtime at a time.
void BindTr2(ompt_function_lookup_t lookup, bool reenters_as_runtime, void (*finalize)(), EntryPoints* entry_points);

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_OMPT_TR2_ADAPTER_H_
