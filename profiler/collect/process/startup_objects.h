// Finds the loaded objects that will never be unloaded.
#ifndef OMPPROF_PROFILER_COLLECT_PROCESS_STARTUP_OBJECTS_H_
#define OMPPROF_PROFILER_COLLECT_PROCESS_STARTUP_OBJECTS_H_

namespace ompprof::collect {

// Tells the unwinder (SetPermanentObjects) which objects stay loaded: the executable, the vDSO, this library, and
// objects with DF_1_NODELETE. Also everything that the executable needs directly or through other objects: the loader
// never unloads objects that it loaded before main. Objects that the program opened by dlopen before this call are not
// among them. Also tells it which code is the collector's (SetOwnCode), and makes unwind tables for
// permanent objects that lack a sorted table (table_maker.h). Not in the handler, before the first walk.
void NotePermanentObjects();

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_PROCESS_STARTUP_OBJECTS_H_
