// Takes a sample: the stack of the calling thread, split by OpenMP tasks, goes into the thread's tree and on the way to
// the writer.
#ifndef OMPPROF_PROFILER_COLLECT_SAMPLING_TAKE_SAMPLE_H_
#define OMPPROF_PROFILER_COLLECT_SAMPLING_TAKE_SAMPLE_H_

#include <stdint.h>
#include <ucontext.h>

#include "profiler/collect/thread/thread_state.h"

namespace ompprof::collect {

// Takes a sample that stands for `weight` and `count` signals at `context`, the handler's argument. What cannot be kept
// is counted in thread->paths.lost, what is cut for want of fuel in thread->sampler.limits. Async-signal-safe; the
// calling thread's own state, `busy` held. Takes 2.5 KB of stack at most, the handler around it included (an alternate
// stack may be of 8 KiB, of which the kernel's frame takes three with AVX-512).
void TakeSample(ThreadState* thread, const ucontext_t* context, uint64_t weight, uint32_t count);

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_SAMPLING_TAKE_SAMPLE_H_
