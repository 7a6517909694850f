#include "profiler/collect/base/thread_end.h"

#include <pthread.h>
#include <stddef.h>

namespace ompprof::collect {
namespace {

// glibc calls destructors in the order of their keys, in up to PTHREAD_DESTRUCTOR_ITERATIONS (4) rounds, for as long as
// one has set a value again. The last round is left to allocators and sanitizers, which wait for it as we do.
constexpr size_t kRound = 3;

// The last key whose value has a place in the thread's descriptor (nptl/descr.h, PTHREAD_KEY_2NDLEVEL_SIZE): for
// another, setting the value would call calloc.
//
// It has to be late for one more reason. A child forked while another thread was calling destructors inherits that
// thread's stack with the values that were not destroyed yet, which glibc 2.36 forgets to clear (__reclaim_stacks looks
// at `specific_used`, which is false by then). The child's next thread has that stack, and at its end libomp's
// destructor is called for a thread that the child does not know, and fails. Of an early key the destructor, which
// takes microseconds, would come with all values still there.
constexpr pthread_key_t kKey = 31;

pthread_key_t key;
void (*when_ended)();

void Destroy(void* round) {
  const size_t next = reinterpret_cast<size_t>(round) + 1;
  if (next > kRound || pthread_setspecific(key, reinterpret_cast<void*>(next)) != 0) when_ended();
}

}  // namespace

bool CreateThreadEnd(void (*ended)()) {
  when_ended = ended;
  // The lowest that is free is given.
  pthread_key_t passed_over[kKey];
  size_t count = 0;
  bool created = pthread_key_create(&key, Destroy) == 0;
  while (created && key < kKey && count < kKey) {
    passed_over[count++] = key;
    created = pthread_key_create(&key, Destroy) == 0;
  }
  if (!created && count != 0) {  // there are no more
    key = passed_over[--count];
    created = true;
  }
  while (count != 0) pthread_key_delete(passed_over[--count]);
  return created;
}

void AwaitEndOfThisThread() { pthread_setspecific(key, reinterpret_cast<void*>(1)); }

}  // namespace ompprof::collect
