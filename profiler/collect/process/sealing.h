// The end of the collector in a process that gives up system calls: the seal (seal.h) is put on.
//
// What can't be seen: a filter installed past libc, by the `syscall` instruction itself; and, by a program that is
// started under a filter, whether the filter would kill (/proc/self/status has the same line for that and for a
// container's, which merely refuses). So the collector leaves the environment at the same time: what is executed
// under the filter is started without it.
#ifndef OMPPROF_PROFILER_COLLECT_PROCESS_SEALING_H_
#define OMPPROF_PROFILER_COLLECT_PROCESS_SEALING_H_

#include <stddef.h>

namespace ompprof::collect {

// Called before the calls of the same meaning: prctl(PR_SET_SECCOMP, mode, program) and seccomp(operation, flags,
// program). Where they would install something the session ends, with a note, and the profile is complete. Keeps
// errno.
void BeforePrctlSeccomp(unsigned long mode, unsigned long program);
void BeforeSeccomp(unsigned long operation, unsigned long flags, unsigned long program);

// The environment without the collector, for a program that is executed under a seal: the calling thread's own if
// nothing had to be left out, else a copy. `memory`: EnvironmentBytes(environment) of it.
size_t EnvironmentBytes(char* const* environment);
char* const* EnvironmentWithoutUs(char* const* environment, void* memory);

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_PROCESS_SEALING_H_
