// The data of the signal handler and the sampling sources for one thread, a part of ThreadState. It has the source's
// own state, the weight of the next sample, and the sample's limits.
#ifndef OMPPROF_PROFILER_COLLECT_SAMPLING_SAMPLER_H_
#define OMPPROF_PROFILER_COLLECT_SAMPLING_SAMPLER_H_

#include <signal.h>
#include <stdint.h>
#include <time.h>

#include <atomic>

#include "profiler/collect/cct/sample_counts.h"
#include "profiler/collect/sampling/pace.h"
#include "profiler/collect/sampling/sample_limits.h"
#include "profiler/collect/tasks/task_view.h"

namespace ompprof::collect {

struct Source;

// The perf event of a thread (perf_event.cc).
struct ThreadEvent {
  int fd;
  bool on;                   // the event exists
  bool first_period;         // no signal has come since the event was last turned on
  std::atomic<long> page;    // the mapping that keeps the event; 0: no event
  std::atomic<bool> wanted;  // armed: the thread may make its event

  void Reset() {
    fd = -1;
    on = first_period = false;
    page.store(0, std::memory_order_relaxed);
    wanted.store(false, std::memory_order_relaxed);
  }
};

// The counting events of a thread (event_counts.h).
struct ThreadCounts {
  std::atomic<int> fd;                              // of the group's leader; -1: the thread counts nothing
  uint64_t leader;                                  // the kernel's number of the leader
  std::atomic<long> pages[kMostCountedEvents - 1];  // the mappings that keep the other events; 0: none
  // At the last read:
  uint64_t enabled_ns;  // time in which the thread ran
  uint64_t running_ns;  // of that, with all events counting
  SampleCounts totals;
  SampleCounts tail;  // counted between the last sample and the thread's or the profile's end. For the writer

  void Reset() {
    fd.store(-1, std::memory_order_relaxed);
    for (std::atomic<long>& page : pages) page.store(0, std::memory_order_relaxed);
    leader = enabled_ns = running_ns = 0;
    totals = tail = {};
  }
};

// A timer that tells that a thread works again after a long sleep (source.h).
struct WorkTimer {
  bool exists;
  bool on;
  timer_t timer;

  void Reset() { exists = on = false; }
};

// The thread's instants: moments of wall time at which a thread on a processor is sampled (on_cpu_timer.cc). The thread
// and its handler write it. The writer reads the two atomics.
struct ThreadInstants {
  bool on;           // the timer is set to `due_ns`
  uint64_t due_ns;   // the next instant
  uint64_t mean_ns;  // the mean time between instants when it was drawn
  uint64_t random;   // the state of the thread's random numbers
  uint64_t seen_ns;  // the two clocks at the last signal
  uint64_t seen_cpu_ns;
  bool yields;         // a signal has found the thread in a yield
  uint64_t switches;   // how often the thread had lost or left its processor, at the last signal; only if it yields
  uint64_t yield_ns;   // CPU time of one yield that gives the processor to another thread
  uint64_t yields_ns;  // of all yields since the last signal in a yield
  uint64_t usual_delay_ns;  // from an instant to its signal, while the thread is on a processor
  // The CPU time from an instant to a late signal, on average. And how often, of kAlways, a thread that was on a
  // processor at an instant was off it for less than that since the last signal.
  uint64_t late_ns;
  uint64_t unbroken;
  static constexpr uint64_t kAlways = 1 << 16;
  uint32_t asleep;  // signals in a row that found the thread in one and the same sleep; 0: the last one did not
  uint64_t sleeps;  // how often the thread had left its processor to sleep, at the last of them
  // The depth of system calls that the timer must not interrupt (sleeping_call.h). Signal handlers of the program make
  // it more than one.
  volatile sig_atomic_t calls;
  volatile bool retries;  // the thread makes a call that it will make again if a signal ends it
  bool masked;            // one of them has the signal blocked. Of the outermost: and the timer goes on
  uint64_t call_ns;       // the two clocks when the outermost began
  uint64_t call_cpu_ns;   // 0: not measured
  uint32_t waits;         // how often the thread has made a call with the signal blocked
  uint64_t wait_cpu_ns;   // CPU time of such a call, on average

  // Samples stand for the thread's time since its CPU clock (by wall time: the monotonic clock) showed `counts_from`,
  // up to now or to `counts_until`. Time that does not count moves `counts_from` on.
  std::atomic<uint64_t> counts_from;   // 0: nothing has counted yet
  std::atomic<uint64_t> counts_until;  // 0: time counts now

  void Reset() {
    on = yields = masked = retries = false;
    waits = 0;
    due_ns = mean_ns = random = usual_delay_ns = late_ns = wait_cpu_ns = 0;
    asleep = 0;
    sleeps = 0;
    calls = 0;
    counts_from.store(0, std::memory_order_relaxed);
    counts_until.store(0, std::memory_order_relaxed);
  }

  // Before the time after the clock's reading `now_ns` counts, and after the time before it has counted.
  void CountFrom(uint64_t now_ns) {
    const uint64_t until = counts_until.load(std::memory_order_relaxed);
    const uint64_t from = counts_from.load(std::memory_order_relaxed);
    if (from == 0)
      counts_from.store(now_ns, std::memory_order_relaxed);
    else if (until != 0)
      counts_from.store(from + (now_ns - until), std::memory_order_relaxed);
    counts_until.store(0, std::memory_order_release);
  }
  void CountUntil(uint64_t now_ns) {
    if (counts_until.load(std::memory_order_relaxed) == 0) counts_until.store(now_ns, std::memory_order_release);
  }
};

// The state of a thread that may block the sampling signal (signal_mask.h).
struct ThreadMask {
  std::atomic<uint32_t> state;   // + 2 at each change; odd: the thread blocks the signal
  uint32_t changes;              // how often the thread has begun to block the signal
  uint64_t begin_clock;          // the thread's CPU clock at that time
  std::atomic<uint64_t> cpu_ns;  // CPU time with the signal blocked
  uint64_t rough_clock;          // for RoughCpuClock
  uint64_t rough_at_ns;
  uint32_t rough_guesses;
  uint32_t suspect;  // for the writer: `state` when a look found the signal unblocked

  bool blocks() const { return (state.load(std::memory_order_seq_cst) & 1) != 0; }

  void Reset() {
    state.store(0, std::memory_order_relaxed);
    changes = 0;
    cpu_ns.store(0, std::memory_order_relaxed);
    rough_clock = 0;
    suspect = 0;
  }
};

struct Sampler {
  // `busy` keeps the handler and the thread's own callbacks apart. Code that finds `busy` set leaves the weight to the
  // next sample. kWalking: in a walk (paths/walk_guard.h).
  volatile sig_atomic_t busy;
  static constexpr sig_atomic_t kBusy = 1;
  static constexpr sig_atomic_t kWalking = 2;
  volatile uintptr_t busy_at;  // an address in the frame of the code that has set `busy`, outside the handler
  volatile sig_atomic_t in_handler;
  volatile uint32_t signals;  // how many the handler has seen
  TaskView view;              // of the present sample. Not on the handler's stack, which may be a small alternate stack
  uint64_t carried_weight;
  uint32_t carried_count;
  uint64_t slept_ns;  // set by Source::weigh: the signal found the thread asleep in a futex, and stands for so much
                      // wall time; 0: it did not
  bool in_unsampled_handler;  // likewise: the instant was in a handler that cannot be sampled
  SampleLimits limits;

  // For the source.
  const Source* source;     // session.source, or kClockedCpuTimer or kHelperTick if the thread cannot have it
  std::atomic<bool> asked;  // the helper has signalled the thread (kHelperTick)
  uint64_t asked_cpu_ns;    // the thread's CPU clock then. For the helper
  bool armed;
  bool counted;  // in session.running
  timer_t timer;
  uint64_t last_clock;  // the part of the source's clock that samples stand for, as a reading
  Pace pace;            // the distance of the thread's samples
  WorkTimer work;
  ThreadEvent event;
  ThreadInstants instants;
  ThreadMask mask;
  ThreadCounts counts;

  uint64_t tail_weight;  // CPU time between the last sample and the end of the thread or of the profile

  // Prepares the state for another thread, whose first source is `first`.
  void Reset(const Source* first) {
    busy = 0;
    busy_at = 0;
    in_handler = 0;
    signals = 0;
    carried_weight = 0;
    carried_count = 0;
    slept_ns = 0;
    in_unsampled_handler = false;
    limits.Reset();
    source = first;
    asked.store(false, std::memory_order_relaxed);
    armed = false;
    counted = false;
    pace.Reset();
    work.Reset();
    event.Reset();
    instants.Reset();
    mask.Reset();
    counts.Reset();
    tail_weight = 0;
  }
};

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_SAMPLING_SAMPLER_H_
