// Everything that the collector keeps for one thread of the program, and the list of all threads.
#ifndef OMPPROF_PROFILER_COLLECT_THREAD_THREAD_STATE_H_
#define OMPPROF_PROFILER_COLLECT_THREAD_THREAD_STATE_H_

#include <stdint.h>

#include <atomic>

#include "profiler/collect/base/tick_clock.h"
#include "profiler/collect/blame/thread_blame.h"
#include "profiler/collect/blame/thread_waits.h"
#include "profiler/collect/devices/thread_devices.h"
#include "profiler/collect/locks/thread_locks.h"
#include "profiler/collect/paths/call_paths.h"
#include "profiler/collect/sampling/placement.h"
#include "profiler/collect/sampling/sampler.h"
#include "profiler/collect/tasks/thread_tasks.h"
#include "profiler/collect/thread/thread_identity.h"
#include "profiler/collect/thread/thread_labels.h"
#include "profiler/collect/write/written_thread.h"

namespace ompprof::collect {

// One piece of memory, in parts. Each part is declared in the room that writes it, and clears itself for another
// thread.
struct ThreadState {
  enum Lifecycle : uint32_t {
    kLive,
    kEnded,    // the thread has ended; the writer has not read all of its data
    kDrained,  // the writer has read all of its data
  };

  std::atomic<uint32_t> lifecycle;
  volatile uint64_t now_ns;  // the last result of NowFor
  ThreadState* next;         // in the list of all threads, newest first

  ThreadIdentity identity;
  ThreadLabels labels;
  Sampler sampler;
  ThreadPlacement placement;
  CallPaths paths;
  ThreadTasks tasks;
  ThreadWaits waiting;
  ThreadBlame blame;
  ThreadLocks locks;
  ThreadDevices devices;
  WrittenThread written;

  // At the thread's end, the carried weight goes to the thread's last known call path. True: there is no such path.
  bool HasCarriedNowhere() const { return sampler.carried_count != 0 && paths.last_sample.count == 0; }
};

// The calling thread's state, NULL if the collector does not know the thread. Async-signal-safe.
extern __thread ThreadState* this_thread __attribute__((tls_model("initial-exec"), visibility("hidden")));

// CLOCK_MONOTONIC for the OMPT callbacks: quick, and never going back for a thread. Async-signal-safe; `thread` is the
// calling thread's own state.
inline uint64_t NowFor(ThreadState* thread) { return QuickNs(&thread->now_ns); }

// Maps and prepares everything that a thread needs. The result is neither armed nor in the list. If a thread has ended,
// its state and its tree are used again. NULL if memory is exhausted. Not in the handler.
ThreadState* AllocateThread();

// Frees a state that was never published.
void FreeThread(ThreadState* state);

// The list of threads, newest first. Adding a state is lock-free. Only the writer removes states; they must be
// kDrained.
void PublishThread(ThreadState* state);
ThreadState* FirstThread();
void RemoveDrainedThreads();

// The thread of `state` has ended. True if so many have ended since RemoveDrainedThreads that the writer should read
// their data soon, because each of them keeps its memory until then. True once for each RemoveDrainedThreads.
bool EndThread(ThreadState* state);

// A forked child has only the thread that called fork: forgets all others without freeing them.
void ForgetAllThreads();

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_THREAD_THREAD_STATE_H_
