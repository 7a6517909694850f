// The constructor and the end of the collector in the program's process.
#ifndef OMPPROF_PROFILER_COLLECT_PROCESS_PRELOAD_H_
#define OMPPROF_PROFILER_COLLECT_PROCESS_PRELOAD_H_

namespace ompprof::collect {

// Starts the session at its first call. The loader runs this library's constructor after the constructors of the
// libraries that the program needs. Those constructors may make threads and use OpenMP earlier; their calls then start
// the session. Not in the handler.
void StartOnce();

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_PROCESS_PRELOAD_H_
