// The writer's memory of one thread, a part of ThreadState.
#ifndef OMPPROF_PROFILER_COLLECT_WRITE_WRITTEN_THREAD_H_
#define OMPPROF_PROFILER_COLLECT_WRITE_WRITTEN_THREAD_H_

#include <stdint.h>

namespace ompprof::collect {

// Writer thread only.
struct WrittenThread {
  uint32_t samples;  // up to 2^32 - 1
  int64_t weight;    // of samples in the file, and what is left to other threads: see sample_scale.h
  int64_t lent;      // to the pool of threads with few samples: CPU time less the weight of samples; negative: it owes
  bool pooled;
  bool announced;
  bool end_announced;

  // Prepares the state for another thread.
  void Reset() { *this = {}; }
};

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_WRITE_WRITTEN_THREAD_H_
