// What holds for the whole process while the collector is at work.
#ifndef OMPPROF_PROFILER_COLLECT_SESSION_H_
#define OMPPROF_PROFILER_COLLECT_SESSION_H_

#include <signal.h>
#include <stdint.h>
#include <sys/types.h>

#include <atomic>

#include "profiler/collect/ompt/runtime_code.h"
#include "profiler/collect/thread_state.h"
#include "profiler/collect/unwind/unwinder.h"
#include "profiler/config/config.h"

namespace ompprof::collect {

struct Source;

using config::ClockKind;
using config::Config;
using config::TaskContext;
using config::UnwindKind;

inline constexpr char kCollectorVersion[] = "0.1.0";

// Every member has an initializer, so that this is initialized at compile time, before any constructor runs.
struct Session {
  Config config{};
  const Unwinder* unwinder{};
  const Source* source{};
  uint64_t period{};   // in the source's unit
  pid_t pid{};         // a vforked child shares this memory but not this number
  uint32_t tick_ns{};  // of the kernel
  bool preloaded{};    // pthread_create and the exit functions go through us
  uint64_t start_mono_ns{};
  int64_t start_unix_ns{};
  uint64_t start_process_cpu_ns{};
  const void* program_code{};  // an address in the executable

  std::atomic<bool> active{};         // between start and shutdown
  std::atomic<bool> collecting{};     // samples are wanted now: active, not paused, past the delay
  std::atomic<bool> closing{};        // it was so when the profile came to its end: open waits are being added up
  std::atomic<bool> delayed{};        // --delay has not passed
  std::atomic<bool> ended{};          // omp_control_tool end: for good
  std::atomic<bool> signal_taken{};   // noticed too late for a warning at the time
  std::atomic<bool> helperless{};     // it ended early: this process may have no helper, but its forked children may
  std::atomic<bool> ids_apart{};      // a thread has changed its ids for itself, past libc
  std::atomic<bool> blocked_noted{};  // that a thread began with the signal blocked
  std::atomic<uint32_t> epoch{};      // of loaded modules: goes up when addresses may have changed their meaning
  std::atomic<uint32_t> threads{};    // numbered so far
  std::atomic<uint32_t> running{};    // threads that will tell us of their end, from before they begin

  RuntimeCode runtime_code{};  // empty until OMPT is up

  std::atomic<uint64_t> unattached_samples{};
  std::atomic<uint64_t> unarmed_threads{};
  std::atomic<uint32_t> slow_threads{};    // sampled at the kernel's tick for want of a perf event
  std::atomic<uint32_t> paced_threads{};   // whose rate was lowered, since samples took too much of the time
  std::atomic<uint32_t> most_pace{};       // the lowest rate so far: the frequency over two to the power of this
  std::atomic<uint32_t> masked_threads{};  // that have blocked the sampling signal
};

extern Session session;

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

// A thread of the program, called in it: takes `state` (NULL: a new one) and arms it if samples are wanted. NULL if
// the session is over or there is no memory.
ThreadState* AttachThisThread(ThreadState* state);

// The thread's end, called in it. Idempotent.
void DetachThisThread();

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

// The calling thread, which has the sampling signal blocked, has taken one by sigwait and its like. False: it is none
// of ours. True: it counts for the thread's next sample; if `disarmed` becomes true no more come until
// ArmThisThreadAgain.
bool TakeStraySample(const siginfo_t& info, bool* disarmed);
void ArmThisThreadAgain();

// The helper's rights are not the calling thread's: libc changes the ids of all threads (credentials(7), "Modifying
// process user and group IDs"), and aborts the process if the kernel refuses one of them what it grants the other.
bool HelperHasOtherRights();

// Around a call that only a process with one thread may make, which the program's may be without our helper. False: the
// helper is not what is in the way; AfterAlone must not follow. `call`: its name.
bool BeforeAlone(const char* call);
void AfterAlone(const char* call);

// The program wants the sampling signal for itself: stops sampling, for good, with one warning. No signal of ours is
// left that the program could take for its own.
void YieldSignal();
// The same where it has taken the signal already, past libc. By the writer, once a round; the warning comes at the end.
void YieldSignalIfTaken();

// Pause and resume, as omp_control_tool means them. Idempotent.
void SetCollecting(bool on);

// omp_control_tool end, ompprof_control: no samples from here on, the file is finished.
void EndSession();

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_SESSION_H_
