// Stops the helper thread around a call that the kernel allows only to single-threaded processes, or only if all
// threads have the same rights.
#ifndef OMPPROF_PROFILER_COLLECT_PROCESS_WITHOUT_HELPER_H_
#define OMPPROF_PROFILER_COLLECT_PROCESS_WITHOUT_HELPER_H_

namespace ompprof::collect {

// The helper's rights are not the calling thread's: libc changes the ids of all threads (credentials(7), "Modifying
// process user and group IDs"), and aborts the process if the kernel refuses one of them what it grants the other.
bool HelperHasOtherRights();

// Around a call that the kernel allows only to single-threaded processes: stops the helper, and starts it again. False:
// the helper is not what is in the way; StartHelperAfter must not follow. `call`: its name.
bool StopHelperBefore(const char* call);
void StartHelperAfter(const char* call);

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_PROCESS_WITHOUT_HELPER_H_
