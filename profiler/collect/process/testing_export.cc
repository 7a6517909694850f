// Only in libompprof_testing.so.
#include "profiler/collect/base/exported.h"
#include "profiler/collect/thread/thread_state.h"

// Whether the calling thread is inside the sampling signal's handler.
OMPPROF_EXPORT int ompprof_in_handler() {
  using ompprof::collect::this_thread;
  return this_thread != nullptr && this_thread->sampler.in_handler != 0;
}
