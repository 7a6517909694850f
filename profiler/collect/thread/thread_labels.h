// The labels that a thread has pushed (ompprof.h), a part of ThreadState.
#ifndef OMPPROF_PROFILER_COLLECT_THREAD_THREAD_LABELS_H_
#define OMPPROF_PROFILER_COLLECT_THREAD_THREAD_LABELS_H_

#include <stdint.h>

namespace ompprof::collect {

// Written by the thread outside the handler, read by its handler.
struct ThreadLabels {
  static constexpr uint32_t kMost = 32;
  volatile uint16_t innermost;  // a number of LabelTable; 0: none
  uint32_t depth;               // may exceed kMost
  uint16_t outer[kMost];        // the labels around `innermost`

  // Prepares the state for another thread.
  void Reset() {
    innermost = 0;
    depth = 0;
  }
};

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_THREAD_THREAD_LABELS_H_
