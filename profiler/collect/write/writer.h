// The helper thread. It carries samples from the threads' rings and trees to the file, about once a second and at the
// end.
//
// The helper blocks every signal and has a descriptor table of its own. So the program sees neither its file nor its
// descriptors, and cannot close them. The helper takes no lock of the program's (no loader lock, no malloc), so waiting
// for it cannot deadlock.
#ifndef OMPPROF_PROFILER_COLLECT_WRITE_WRITER_H_
#define OMPPROF_PROFILER_COLLECT_WRITE_WRITER_H_

#include <stddef.h>
#include <stdint.h>

namespace ompprof::collect {

// Starts the thread. Where a limit leaves no place for it, the program's threads make the rounds. With `open_now`, the
// file is opened before the return; otherwise, once there is a sample to write. False: the thread or the file could not
// be had; `error` (capacity `size`) then holds a sentence. Not in the handler.
bool StartWriter(bool open_now, char* error, size_t size);

// The helper also calls `look`, which returns the time until it wants to be called again, in nanoseconds; 0: never.
// Before StartWriter.
void LookFromWriter(uint64_t (*look)());

// Waits until all samples so far are in the file. With `footer_reason` (a literal) a footer follows, because the
// process may be about to vanish (exec). A later footer replaces it. Not in the handler.
void FlushNow(const char* footer_reason = nullptr);

// dlclose will unload the object of `address`, and the next round must know. 0: the object is unloaded.
void ExpectUnload(uintptr_t address);

// Runs the last round and writes the footer. The thread ends afterwards, perhaps later than the return. If the profile
// is incomplete, `error` holds a sentence, otherwise "". A signal handler may have interrupted any function of libc
// before this call.
void StopWriter(const char* reason, char* error, size_t size);

// Serves a call that the kernel permits only to a process with one thread. The helper's thread ends; its data stays for
// ResumeWriter. `for_good`: for EndHelper.
enum class Pause {
  kDone,
  kNothing,     // there is no thread to end, or it is ending
  kImpossible,  // the file cannot be kept for that time
};
Pause PauseWriter(bool for_good = false);

// False: this process can make no thread any more. StopWriter must follow, and then writes in the calling thread.
bool ResumeWriter();

// Ends the helper's thread for good, because the program needs its place. The program's threads then make the rounds
// (own_rounds.cc). False: there is no thread to end, or it cannot end now. Not in the handler.
// `is_needed`: a call was refused. Otherwise, HasFewPlaces, and the call that may be refused cannot be made again.
bool EndHelper(bool is_needed);

// Whether a limit on the user's threads and processes is low. The processes of a run may use it up.
bool HasFewPlaces();

// Whether sampling may begin later (--delay): it is the helper that begins. Otherwise a note says so.
bool CanDelay();

// Waits until the thread that StopWriter has stopped is gone. Necessary before this library may be unloaded, or before
// the C library counts the program's threads.
void JoinWriter();

// The profile's path; "" if nothing was written.
const char* OutputPath();

// The helper's kernel thread id; 0 if there is no helper.
int WriterTid();

// Called in a forked child, which does not have the parent's writer.
void ForgetWriter();

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_WRITE_WRITER_H_
