// Begins and ends the session, and continues it after fork and exec. The preloaded library and the wrappers of libc's
// functions call it.
#ifndef OMPPROF_PROFILER_COLLECT_PROCESS_LIFECYCLE_H_
#define OMPPROF_PROFILER_COLLECT_PROCESS_LIFECYCLE_H_

namespace ompprof::collect {

// Whether this very process is profiled. A vforked child that shares its memory is not.
bool InSession();

// Reads the environment, chooses the source and starts everything. False: the program runs unprofiled, and a warning
// was printed. Once: see preload.h.
bool StartSession();

// The last flush: writes the rest of the data and the footer. Idempotent; from any thread of the program, not from the
// handler. `reason` goes into the footer. With `at_once`, it does nothing that is forbidden in a signal handler,
// because a signal handler may call _exit, whatever code the signal interrupted. So it takes no lock of libc or the
// loader, and is no cancellation point. The writer has then finished the file, and ends by itself.
void ShutDownSession(const char* reason, bool at_once = false);

// Starts everything again, in a forked child.
void RestartSessionInChild();

// A thread of session.running has ended. The process ends with the last thread that the C library counts, and our
// helper must not be that thread. This matters only after the main thread has left by pthread_exit. If the kernel has
// no other thread either, the last thread calls exit() at its end, as the C library would. Otherwise the session ends:
// unknown threads have no samples, and nobody reports their end. Maybe the C library does not count them either
// (threads of clone(), the kernel's own threads for io_uring).
void OneThreadLess();

// The process image is about to be replaced. Writes the samples, and removes all signals of ours that could end the
// next program.
void BeforeExec();
// Continues the session after a failed exec.
void AfterFailedExec();

// omp_control_tool's and ompprof_control's end command: no samples from here on, and the file is finished.
void EndSession();

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_PROCESS_LIFECYCLE_H_
