// Begins and ends the session, and continues it after fork and exec. The preloaded library and the wrappers of libc's
// functions call it.
#ifndef OMPPROF_PROFILER_COLLECT_PROCESS_LIFECYCLE_H_
#define OMPPROF_PROFILER_COLLECT_PROCESS_LIFECYCLE_H_

namespace ompprof::collect {

// Whether this very process is profiled, and not a vforked child that shares its memory.
bool InSession();

// Reads the environment, picks the source and starts everything. False: the program runs unprofiled (a warning was
// printed). Once: see preload.h.
bool StartSession();

// The last flush: writes the rest of the data and the footer. Idempotent; from any thread of the program, not from the
// handler. `reason` goes into the footer. With `at_once`, it does nothing that is forbidden in a signal handler,
// because a signal handler may call _exit, whatever the signal interrupted. So it takes no lock of libc's or the
// loader's, and is no cancellation point. The writer, which is done with the file, ends by itself.
void ShutDownSession(const char* reason, bool at_once = false);

// Starts everything again, in a forked child.
void RestartSessionInChild();

// A thread of session.running is gone. The process ends with its last thread, as the C library counts threads, and our
// helper must not be that thread. This only matters once the main thread has left by pthread_exit. Threads that we do
// not know do not count: they have no samples, and nobody tells us of their end. The C library may not count them
// either (threads of clone(), the kernel's own for io_uring).
void OneThreadLess();

// The process image is about to be replaced. Writes the samples, and leaves no signal of ours from which the next
// program could die.
void BeforeExec();
// The exec failed.
void AfterFailedExec();

// omp_control_tool end, ompprof_control: no samples from here on, the file is finished.
void EndSession();

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_PROCESS_LIFECYCLE_H_
