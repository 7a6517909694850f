// Reads memory that may be unmapped. A signal handler follows pointers out of the program's registers and must not
// fault on them.
#ifndef OMPPROF_PROFILER_COLLECT_UNWIND_SAFE_READ_H_
#define OMPPROF_PROFILER_COLLECT_UNWIND_SAFE_READ_H_

#include <stddef.h>
#include <stdint.h>

// The sanitizers put red zones on stacks and would report a walk over them. These functions read like a debugger.
#define OMPPROF_NO_SANITIZE __attribute__((no_sanitize("address", "thread", "undefined")))

namespace ompprof::collect {

// Copies `size` bytes from `address`, all or none, at the price of a system call (about 0.2 us). False if a part is not
// mapped readable. Leaves errno alone. Async-signal-safe.
bool SafeRead(uintptr_t address, void* destination, size_t size);

// Whether the 8 bytes at `address` can be read. Costs a system call that does nothing else (0.13 us, where a copy takes
// 1 us). Leaves errno alone. Async-signal-safe.
bool IsReadable(uintptr_t address);

// Copies up to `size` bytes from `address`: all of them, or those up to the end of the page. Returns the number of
// copied bytes, 0 if none. `size` is at most a page. Async-signal-safe.
size_t SafeReadSome(uintptr_t address, void* destination, size_t size);

// Whether the system reads for us, so that memory may be unmapped at any time. Where a filter forbids this, there is a
// moment between SafeRead's check of a page and its load.
bool SafeReadsAreAtomic();

// A plain load. The caller knows that the word is mapped. Async-signal-safe.
OMPPROF_NO_SANITIZE inline uintptr_t LoadWord(uintptr_t address) {
  typedef uintptr_t __attribute__((aligned(1), may_alias)) UnalignedWord;
  return *reinterpret_cast<const UnalignedWord*>(address);
}

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_UNWIND_SAFE_READ_H_
