// Whether the program may have taken readable memory away since some earlier moment. The wrappers of the libc functions
// that can do so (interpose_mappings.cc) tell of it; the stack walk asks, to know for how long a page that was proved
// readable remains so (unwind/readable_pages.h).
//
// A system call that the program makes by an instruction of its own is not seen, nor is one that libc makes within
// another function. Both are for memory of one's own (Go's heap, a block that malloc mapped). Within the bounds of a
// running thread's stack nobody is known to do so.
#ifndef OMPPROF_PROFILER_COLLECT_PATHS_MAPPING_CHANGES_H_
#define OMPPROF_PROFILER_COLLECT_PATHS_MAPPING_CHANGES_H_

#include <stdint.h>

#include <atomic>

namespace ompprof::collect {

class MappingChanges {
 public:
  // No moment's stamp.
  static constexpr uint64_t kUnknown = 0;

  // Two stamps that are the same: no change has begun between them, and none was under way. kUnknown while one is.
  // Async-signal-safe.
  uint64_t Stamp() const {
    const uint64_t done = done_.load(std::memory_order_acquire);
    const uint64_t begun = begun_.load(std::memory_order_acquire);
    return done == begun ? begun + 1 : kUnknown;
  }

  // Around a change. Any thread, at any time. Async-signal-safe.
  void Begin() { begun_.fetch_add(1, std::memory_order_seq_cst); }
  void End() { done_.fetch_add(1, std::memory_order_seq_cst); }

  // In a forked child: what other threads had begun will not be done.
  void ForgetOtherThreads() { done_.store(begun_.load(std::memory_order_relaxed), std::memory_order_relaxed); }

 private:
  std::atomic<uint64_t> begun_{0};
  std::atomic<uint64_t> done_{0};
};

inline MappingChanges mapping_changes;

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_PATHS_MAPPING_CHANGES_H_
