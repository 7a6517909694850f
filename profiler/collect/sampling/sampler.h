// The data of the signal handler and the sampling sources for one thread, a part of ThreadState. It has the source's
// own state, the weight of the next sample, and the sample's limits.
#ifndef OMPPROF_PROFILER_COLLECT_SAMPLING_SAMPLER_H_
#define OMPPROF_PROFILER_COLLECT_SAMPLING_SAMPLER_H_

#include <signal.h>
#include <stdint.h>
#include <time.h>

#include <atomic>

#include "profiler/collect/sampling/pace.h"
#include "profiler/collect/sampling/sample_limits.h"
#include "profiler/collect/tasks/task_view.h"

namespace ompprof::collect {

struct Source;

// The perf event of a thread (perf_event.cc).
struct ThreadEvent {
  int fd;
  bool on;                   // the event exists
  bool after_event;          // the last signal came from the event
  bool first_period;         // no signal has come since the event was last turned on
  std::atomic<long> page;    // the mapping that keeps the event; 0: no event
  std::atomic<bool> wanted;  // armed: the thread may make its event

  void Reset() {
    fd = -1;
    on = after_event = first_period = false;
    page.store(0, std::memory_order_relaxed);
    wanted.store(false, std::memory_order_relaxed);
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
  // next sample.
  volatile sig_atomic_t busy;
  volatile sig_atomic_t in_handler;
  TaskView view;  // of the present sample. Not on the handler's stack, which may be a small alternate stack
  uint64_t carried_weight;
  uint32_t carried_count;
  SampleLimits limits;

  // For the source.
  const Source* source;  // session.source, or the CPU timer if the thread can have no event
  bool armed;
  bool counted;  // in session.running
  timer_t timer;
  uint64_t last_clock;
  uint64_t credited;  // weight given since last_clock without a look at the clock
  uint32_t unread;    // samples with such a weight
  Pace pace;          // the distance of the thread's samples
  ThreadEvent event;
  ThreadMask mask;

  uint64_t tail_weight;  // CPU time between the last sample and the end of the thread or of the profile

  // Prepares the state for another thread, whose first source is `first`.
  void Reset(const Source* first) {
    busy = 0;
    in_handler = 0;
    carried_weight = 0;
    carried_count = 0;
    limits.Reset();
    source = first;
    armed = false;
    counted = false;
    credited = 0;
    unread = 0;
    pace.Reset();
    event.Reset();
    mask.Reset();
    tail_weight = 0;
  }
};

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_SAMPLING_SAMPLER_H_
