// Attaches a thread of the program to the collector, and detaches it.
#ifndef OMPPROF_PROFILER_COLLECT_PROCESS_THREAD_ATTACH_H_
#define OMPPROF_PROFILER_COLLECT_PROCESS_THREAD_ATTACH_H_

#include <stdint.h>
#include <sys/types.h>

#include "profiler/collect/thread/thread_state.h"

namespace ompprof::collect {

// Called in the thread: takes `state` (NULL: a new state), and arms it if samples are wanted. NULL if the session is
// over or there is no memory.
ThreadState* AttachThisThread(ThreadState* state);

// For a thread `tid` that existed before this library was loaded. False: there is no memory.
bool AttachOtherThread(pid_t tid);

// For a thread that began without this library's knowledge, maybe one whose calls of libc do not come to this library:
// the kernel's tick samples it, which interrupts no system call. Called by the writer. NULL: there is no memory.
ThreadState* AttachUnseenThread(pid_t tid);

// Such a thread is gone. identity.end_cpu_ns is the last reading of its CPU clock.
void DetachUnseenThread(ThreadState* state);

// Called in an attached thread at its end.
void DetachThisThread();

// The profile ends when the thread's CPU clock shows `cpu_ns`. Keeps the CPU time since the thread's last sample.
void KeepTail(ThreadState* thread, uint64_t cpu_ns);

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_PROCESS_THREAD_ATTACH_H_
