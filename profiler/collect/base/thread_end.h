// Reports the end of a thread: by pthread_exit, by its routine's return, or by cancellation. exit() is not such an end
// for the thread that calls it.
#ifndef OMPPROF_PROFILER_COLLECT_BASE_THREAD_END_H_
#define OMPPROF_PROFILER_COLLECT_BASE_THREAD_END_H_

namespace ompprof::collect {

// Call once. Each thread that ends calls `ended`, after the destructors of the program's thread-specific data
// (pthread_key_create), because their work belongs to the program too. False: no key is free.
bool CreateThreadEnd(void (*ended)());

// Requests the call at the end of the calling thread.
void AwaitEndOfThisThread();

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_BASE_THREAD_END_H_
