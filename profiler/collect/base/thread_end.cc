#include "profiler/collect/base/thread_end.h"

#include <pthread.h>
#include <stddef.h>

namespace ompprof::collect {
namespace {

// glibc calls destructors in the order of their keys. If a destructor sets a value again, another round follows, up to
// PTHREAD_DESTRUCTOR_ITERATIONS (4) rounds. The last round is left to allocators and sanitizers, which wait for it as
// this file does.
constexpr size_t kRound = 3;

// The last key whose value has a place in the thread's descriptor (nptl/descr.h, PTHREAD_KEY_2NDLEVEL_SIZE). For a
// later key, setting the value would call calloc.
//
// The key must also be late for another reason. A child may be forked while another thread calls destructors. The child
// then inherits that thread's stack, with the values whose destructors have not run. glibc 2.36 forgets to clear them:
// __reclaim_stacks looks at `specific_used`, which is false by then. The child's next thread gets that stack. At this
// thread's end, libomp's destructor is called for a thread that the child does not know, and fails. With an early key,
// our destructor, which takes microseconds, would run while all other values are still there.
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
  // pthread_key_create gives the lowest free key.
  pthread_key_t passed_over[kKey];
  size_t count = 0;
  bool created = pthread_key_create(&key, Destroy) == 0;
  while (created && key < kKey && count < kKey) {
    passed_over[count++] = key;
    created = pthread_key_create(&key, Destroy) == 0;
  }
  if (!created && count != 0) {  // all keys are in use
    key = passed_over[--count];
    created = true;
  }
  while (count != 0) pthread_key_delete(passed_over[--count]);
  return created;
}

void AwaitEndOfThisThread() { pthread_setspecific(key, reinterpret_cast<void*>(1)); }

}  // namespace ompprof::collect
