// Divides the wall time of the view's threads. The view builder uses it.
#ifndef OMPPROF_PROFILER_ANALYZE_BUILDER_ACCOUNT_THREADS_H_
#define OMPPROF_PROFILER_ANALYZE_BUILDER_ACCOUNT_THREADS_H_

#include <cstdint>
#include <map>
#include <utility>

#include "profiler/analyze/view/thread_account.h"
#include "profiler/analyze/view/view.h"

namespace ompprof::analyze {

using ThreadNs = std::map<std::pair<uint32_t, uint32_t>, uint64_t>;  // by process and Thread.id

// Whether the process's samples weigh CPU time. Samples of a wall clock contain sleep, and events are no time.
bool IsSampledByCpuTime(const ProcessFacts& process);

// The CPU time of all threads outside of OpenMP's waits: by the thread's clock, less the CPU time of samples in waits.
// Without such samples, the whole CPU time.
ThreadNs CpuOutsideWaits(const View& view);

// The accounts of all threads. The kernel counts how long a thread was ready, waits included; ready_ns is that time as
// far as it fits into the time off the processor outside of waits. If the kernel does not tell, all of this time counts
// as ready. Where waits are not recorded, wait_ns is 0, and sleep in waits is in blocked_ns.
ThreadAccounts AccountThreads(const View& view);

// The accounts of all OpenMP threads together.
ThreadAccount OpenmpThreads(const View& view);

// The processors of all processes that ran at a time. Each may have its own affinity mask. 0: not known.
double ProcessorsAtATime(const RunFacts& run);

// The part of the time in which OpenMP threads could run, waits included, that they had no processor. 0 if the kernel
// does not tell. Of the whole run, also in a view of a part of it.
double DelayShare(const RunFacts& run);

// Whether the run had more threads at a time than processors, and they lacked them: DelayShare is 10 % or more. Threads
// then wait at barriers for threads that have no processor. So wall times do not tell how work is shared.
bool ThreadsShareProcessors(const View& view);

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_BUILDER_ACCOUNT_THREADS_H_
