// Stops the helper thread around a call that the kernel allows only to single-threaded processes, or only if all
// threads have the same rights.
#ifndef OMPPROF_PROFILER_COLLECT_PROCESS_WITHOUT_HELPER_H_
#define OMPPROF_PROFILER_COLLECT_PROCESS_WITHOUT_HELPER_H_

namespace ompprof::collect {

// Whether the helper's rights differ from the calling thread's rights. libc changes the ids of all threads
// (credentials(7), "Modifying process user and group IDs"). libc aborts the process if the kernel refuses a thread a
// change that it grants another thread.
bool HelperHasOtherRights();

// Stops the helper before a call that the kernel allows only to single-threaded processes; StartHelperAfter starts it
// again. False: the helper is not the obstacle, and StartHelperAfter must not follow. `call`: the call's name.
bool StopHelperBefore(const char* call);
void StartHelperAfter(const char* call);

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_PROCESS_WITHOUT_HELPER_H_
