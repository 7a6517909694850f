// Finds the loaded objects that will never be unloaded.
#ifndef OMPPROF_PROFILER_COLLECT_PROCESS_STARTUP_OBJECTS_H_
#define OMPPROF_PROFILER_COLLECT_PROCESS_STARTUP_OBJECTS_H_

namespace ompprof::collect {

// Tells the unwinder (SetPermanentObjects) which objects stay: the executable, all that it needs directly or through
// others (what the loader loads before main it never unloads), what asked for it by DF_1_NODELETE, the vDSO and this
// library. Not so what the program opened by dlopen before this was called. Not in the handler, before the first walk.
void NotePermanentObjects();

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_PROCESS_STARTUP_OBJECTS_H_
