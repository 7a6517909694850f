// Tells attempts to take a lock (omp_test_lock) from waits for a lock, where LLVM's runtime reports both by one kind.
#ifndef OMPPROF_PROFILER_COLLECT_QUIRKS_LIBOMP_LOCK_TESTS_H_
#define OMPPROF_PROFILER_COLLECT_QUIRKS_LIBOMP_LOCK_TESTS_H_

#include <omp-tools.h>
#include <stdint.h>

namespace ompprof::collect::libomp {

// Finds the functions of the runtime that test a lock. `code` is an address in the runtime. Called in the tool's
// initializer, before callbacks are registered. A runtime that is linked into the program may export no such function:
// its attempts then look like waits.
// Seen: 14 to 16. Test: polled_locks_test, PolledLocks.
void FindLockTests(uintptr_t code);

// Whether mutex_acquire of `kind` is an attempt, which has no mutex_acquired if it fails. `caller`: the address in the
// runtime to which the callback returns. The runtime names an attempt like a wait.
// Seen: 14 to 16. Test: polled_locks_test, PolledLocks.
bool IsLockTest(ompt_mutex_t kind, uintptr_t caller);

}  // namespace ompprof::collect::libomp

#endif  // OMPPROF_PROFILER_COLLECT_QUIRKS_LIBOMP_LOCK_TESTS_H_
