// Takes a sample: the stack of the calling thread, split by OpenMP tasks, goes into the thread's tree and to the
// writer.
#ifndef OMPPROF_PROFILER_COLLECT_SAMPLING_TAKE_SAMPLE_H_
#define OMPPROF_PROFILER_COLLECT_SAMPLING_TAKE_SAMPLE_H_

#include <stdint.h>
#include <ucontext.h>

#include "profiler/collect/thread/thread_state.h"

namespace ompprof::collect {

// Takes a sample that stands for `weight` and `count` signals, at `context`, the handler's argument. Samples that
// cannot be kept are counted in thread->paths.lost. Samples that are cut for lack of fuel are counted in
// thread->sampler.limits. Async-signal-safe; for the calling thread's own state, with `busy` held. Takes at most 2.5 KB
// of stack, including the handler around it. An alternate stack may have 8 KiB, of which the kernel's frame takes three
// with AVX-512.
void TakeSample(ThreadState* thread, const ucontext_t* context, uint64_t weight, uint32_t count);

// A sample of a handler of the program's that cannot be sampled itself (signal_stack.h). The thread is back in the code
// that the handler interrupted. As TakeSample.
void TakeUnsampledHandler(ThreadState* thread, uint64_t weight, uint32_t count);

// Keeps the call path of a thread that the signal found asleep in a futex, with the wall time that the signal stands
// for. OpenMP's waits are left out, because events measure them. As TakeSample.
void TakeSleep(ThreadState* thread, const ucontext_t* context, uint64_t slept_ns);

// A sample of a call of the libc function at `function`, which stands for `weight`. Called by the wrapper of the
// function, after the call. No signal may come during such a call (sleeping_call.h).
void SampleCall(ThreadState* thread, uintptr_t function, uint64_t weight);

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_SAMPLING_TAKE_SAMPLE_H_
