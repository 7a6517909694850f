// The debt of one thread (debt.h), a part of ThreadState.
#ifndef OMPPROF_PROFILER_COLLECT_BLAME_THREAD_BLAME_H_
#define OMPPROF_PROFILER_COLLECT_BLAME_THREAD_BLAME_H_

#include <signal.h>
#include <stdint.h>

#include "profiler/collect/blame/processor_time.h"
#include "profiler/collect/cct/sample_ring.h"

namespace ompprof::collect {

// Shared by the thread's callbacks and its handler. The handler keeps out while `busy`. Times are wall time: a thread
// that the kernel keeps from running makes others wait equally long.
struct ThreadBlame {
  volatile sig_atomic_t busy;
  volatile uintptr_t busy_at;  // an address in the frame of the code that has set `busy`
  bool is_root;                // the program made the thread: outside regions it works
  double root_debt_read;       // the clock's debt outside regions, as OpenTask::debt_read
  uint64_t until_ns;           // the time up to which `due_ns` and `worked_ns` count; 0: the thread does not work
  double due_ns;               // debt that the profile does not have yet
  uint64_t worked_ns;          // time of work since its last sample
  ProcessorClocks clocks;      // at that sample
  uint64_t stretch_since_ns;   // begin of the stretch in this region (or in none), without an inner region
  Sample last_sample;          // the last sample that was blamed
  uint64_t last_sample_ns;
  uint64_t switches;  // VoluntarySwitches at the first such sample of this stretch

  // Clears the data for another thread.
  void Reset() {
    busy = 0;
    busy_at = 0;
    is_root = false;
    root_debt_read = -1;
    until_ns = 0;
    due_ns = 0;
    worked_ns = 0;
    clocks = {};
    stretch_since_ns = 0;
    last_sample_ns = 0;
  }
};

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_BLAME_THREAD_BLAME_H_
