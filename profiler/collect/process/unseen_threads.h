// Threads that no call of this library's pthread_create made: threads of libc itself (SIGEV_THREAD, aio, mq_notify), of
// a library that was opened with RTLD_DEEPBIND or in another link namespace, of a bare clone. The writer finds them in
// /proc/self/task and samples those that compute.
#ifndef OMPPROF_PROFILER_COLLECT_PROCESS_UNSEEN_THREADS_H_
#define OMPPROF_PROFILER_COLLECT_PROCESS_UNSEEN_THREADS_H_

#include <stdint.h>

namespace ompprof::collect {

// Looks if it is time to. Returns the time until the next look, in nanoseconds; 0: never again. For the writer's
// thread.
uint64_t LookForUnseenThreads();

// The threads that the process has, as the kernel counts them: links of /proc/self/task. 0: /proc is not there.
uint64_t CountThreads();

// Called in a forked child, which has none of them.
void ForgetUnseenThreads();

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_PROCESS_UNSEEN_THREADS_H_
