// Tells that a thread ends: by pthread_exit, by its routine's return, or by cancellation. A thread that calls exit()
// does not end so.
#ifndef OMPPROF_PROFILER_COLLECT_BASE_THREAD_END_H_
#define OMPPROF_PROFILER_COLLECT_BASE_THREAD_END_H_

namespace ompprof::collect {

// Once. `ended` is called in each thread that ends, after the destructors of the program's thread-specific data
// (pthread_key_create): what they do is the program's, too. False: there is no key.
bool CreateThreadEnd(void (*ended)());

// Asks for the call at the end of the calling thread.
void AwaitEndOfThisThread();

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_BASE_THREAD_END_H_
