// The constructor and the end of the collector in the program's process.
#ifndef OMPPROF_PROFILER_COLLECT_PROCESS_PRELOAD_H_
#define OMPPROF_PROFILER_COLLECT_PROCESS_PRELOAD_H_

namespace ompprof::collect {

// Starts the session, the first time. The loader runs this library's constructor after those of the libraries that the
// program needs, and these may make threads and use OpenMP: for what cannot wait until then. Not in the handler.
void StartOnce();

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_PROCESS_PRELOAD_H_
