// Begins and ends the session, and continues it after fork and exec. The preloaded library and the wrappers of libc's
// functions call it.
#ifndef OMPPROF_PROFILER_COLLECT_PROCESS_LIFECYCLE_H_
#define OMPPROF_PROFILER_COLLECT_PROCESS_LIFECYCLE_H_

namespace ompprof::collect {

// This very process is being profiled: not a vforked child that shares its memory.
bool InSession();

// Reads the environment, picks the source and starts everything. False: the program runs unprofiled (a warning was
// printed). Once: see preload.h.
bool StartSession();

// The last flush: writes what is left and the footer. Idempotent; from any thread of the program, not from the handler.
// `reason` goes into the footer. With `at_once` it does nothing that a signal handler may not: _exit may be called in
// one, whatever that interrupted. So it takes no lock of libc's or the loader's, is no cancellation point, and leaves
// the writer, which is done with the file, to end by itself.
void ShutDownSession(const char* reason, bool at_once = false);

// Everything again, in a forked child.
void RestartSessionInChild();

// One of session.running is gone. The process ends with its last thread, as the C library counts them, and our helper
// must not be one of these; only matters once the main thread has left by pthread_exit. Threads that we do not know
// have no say: they have no samples, nobody tells us of their end, and the C library may not count them either (those
// of clone(), the kernel's own for io_uring).
void OneThreadLess();

// The process image is about to be replaced: what was sampled is written, and no signal of ours is left for the next
// program to die of.
void BeforeExec();
// It was not replaced.
void AfterFailedExec();

// omp_control_tool end, ompprof_control: no samples from here on, the file is finished.
void EndSession();

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_PROCESS_LIFECYCLE_H_
