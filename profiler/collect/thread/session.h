// The session: the data of the whole process while the collector is at work. It holds the settings, which are constant
// after the start, and the facts that the collector's rooms must know of each other. lifecycle.h has the functions.
#ifndef OMPPROF_PROFILER_COLLECT_THREAD_SESSION_H_
#define OMPPROF_PROFILER_COLLECT_THREAD_SESSION_H_

#include <stdint.h>
#include <sys/types.h>

#include <atomic>

#include "profiler/collect/sampling/asleep_signals.h"
#include "profiler/collect/tasks/runtime_code.h"
#include "profiler/collect/unwind/unwinder.h"
#include "profiler/config/config.h"

namespace ompprof::collect {

struct Source;

using config::ClockKind;
using config::Config;
using config::TaskContext;
using config::UnwindKind;

// Every member has an initializer, so the compiler initializes the object, before any constructor runs.
struct Session {
  Config config{};
  const Unwinder* unwinder{};
  const Source* source{};
  uint64_t period{};          // in the source's unit
  pid_t pid{};                // a vforked child shares this memory, but has another number
  uint32_t tick_ns{};         // of the kernel
  uint32_t counted_events{};  // events that each thread counts (--count); 0: none (sampling/event_counts.h)
  bool preloaded{};           // pthread_create and the exit functions go through us
  uint64_t start_mono_ns{};
  int64_t start_unix_ns{};
  uint64_t start_process_cpu_ns{};
  uint64_t start_children_cpu_ns{};  // of an earlier program of the process
  const void* program_code{};        // an address in the executable

  std::atomic<bool> active{};        // true between start and shutdown
  std::atomic<bool> collecting{};    // samples are wanted now: active, not paused, after the delay
  std::atomic<bool> closing{};       // the session was collecting when the profile ended: open waits are being added up
  std::atomic<bool> delayed{};       // --delay has not passed
  std::atomic<bool> ended{};         // true for good after omp_control_tool's end command
  std::atomic<bool> signal_taken{};  // the program took the signal; noticed too late for a warning at that time
  std::atomic<bool>
      helperless{};  // the session ended early: this process may have no helper, but its forked children may
  // Futex: 1 while a thread stops the helper, until it has started the helper again. That thread blocks signals.
  std::atomic<uint32_t> stopping_helper{};
  std::atomic<bool> ids_apart{};      // a thread has changed its ids for itself only, past libc
  std::atomic<bool> blocked_noted{};  // a note has said that a thread began with the signal blocked
  std::atomic<uint32_t> epoch{};      // of loaded modules: goes up when addresses may have changed their meaning
  std::atomic<uint32_t> threads{};    // number of threads so far
  std::atomic<uint32_t> running{};    // threads that will report their end; counted before they begin
  std::atomic<bool> main_thread_ended{};

  RuntimeCode runtime_code{};  // empty until OMPT is up

  std::atomic<uint64_t> unattached_samples{};
  std::atomic<uint64_t> unarmed_threads{};
  std::atomic<bool> unseen_threads{};             // libc has not made all of the process's threads
  std::atomic<uint64_t> unsampled_handlers_ns{};  // CPU time of the program's handlers that cannot be sampled
  std::atomic<uint32_t> slow_threads{};           // threads left to the kernel's tick (LeaveToTick)
  std::atomic<uint32_t> paced_threads{};          // threads with a lowered rate, because samples took too much time
  std::atomic<uint32_t> most_pace{};              // the lowest rate so far: the frequency over two to the power of this
  AsleepSignals asleep_signals;                   // of all threads
  std::atomic<uint32_t> masked_threads{};         // threads that have blocked the sampling signal
};

extern Session session;

// The signal of samples. It changes when the program takes it for itself.
inline int SamplingSignal() { return __atomic_load_n(&session.config.signal, __ATOMIC_RELAXED); }

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_THREAD_SESSION_H_
