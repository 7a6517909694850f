// Sets the seal (seal.h): ends the collector in a process that gives up system calls.
//
// Two cases stay unseen. One is a filter installed past libc, by the `syscall` instruction itself. The other is a
// program that is started under a filter: nobody can tell whether the filter would kill. /proc/self/status has the same
// line for such a filter and for a container's filter, which merely refuses. So the collector also leaves the
// environment at the seal: programs executed under the filter start without the collector.
#ifndef OMPPROF_PROFILER_COLLECT_PROCESS_SEALING_H_
#define OMPPROF_PROFILER_COLLECT_PROCESS_SEALING_H_

namespace ompprof::collect {

// Called before prctl(PR_SET_SECCOMP, mode, program) and seccomp(operation, flags, program). If the call would install
// a filter, the session ends with a note, and the profile is complete. Keeps errno.
void BeforePrctlSeccomp(unsigned long mode, unsigned long program);
void BeforeSeccomp(unsigned long operation, unsigned long flags, unsigned long program);

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_PROCESS_SEALING_H_
