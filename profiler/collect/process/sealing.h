// Sets the seal (seal.h): ends the collector in a process that gives up system calls.
//
// Two cases stay unseen. One is a filter installed past libc, by the `syscall` instruction itself. The other is a
// program that is started under a filter: nobody can tell whether the filter would kill. /proc/self/status has the same
// line for such a filter and for a container's filter, which merely refuses. So the collector also leaves the
// environment at the seal: programs executed under the filter start without the collector.
#ifndef OMPPROF_PROFILER_COLLECT_PROCESS_SEALING_H_
#define OMPPROF_PROFILER_COLLECT_PROCESS_SEALING_H_

#include <stddef.h>

namespace ompprof::collect {

// Called before prctl(PR_SET_SECCOMP, mode, program) and seccomp(operation, flags, program). If the call would install
// a filter, the session ends with a note, and the profile is complete. Keeps errno.
void BeforePrctlSeccomp(unsigned long mode, unsigned long program);
void BeforeSeccomp(unsigned long operation, unsigned long flags, unsigned long program);

// Whether `environment` loads the collector, and its file is not there: the process has gone into a root directory that
// lacks it (chroot, a container). Then the loader would warn of each program. A line of ours says so once. Keeps errno.
bool WarnIfOutOfSight(char* const* environment);

// The environment without the collector, for a program that the collector must not be in. The result is `environment`
// itself if nothing had to be left out, otherwise a copy. `memory` has EnvironmentBytes(environment) bytes.
size_t EnvironmentBytes(char* const* environment);
char* const* EnvironmentWithoutUs(char* const* environment, void* memory);

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_PROCESS_SEALING_H_
