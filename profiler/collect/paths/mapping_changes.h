// Whether the program may have made readable memory unreadable since some earlier moment. The wrappers of the libc
// functions that can do so (interpose_mappings.cc) report the changes. The stack walk asks how long a page that was
// proved readable stays readable (unwind/readable_pages.h).
//
// Two kinds of system calls stay unseen: calls by an instruction of the program's own, and calls that libc makes within
// another function. Both kinds change memory that their caller made (Go's heap, a block that malloc mapped). No program
// is known to do so within the bounds of a running thread's stack.
#ifndef OMPPROF_PROFILER_COLLECT_PATHS_MAPPING_CHANGES_H_
#define OMPPROF_PROFILER_COLLECT_PATHS_MAPPING_CHANGES_H_

#include <stdint.h>

#include <atomic>

namespace ompprof::collect {

class MappingChanges {
 public:
  // Equal to no moment's stamp.
  static constexpr uint64_t kUnknown = 0;

  // Between two moments with equal stamps, no change was under way or began. The stamp is kUnknown during a change.
  // Async-signal-safe.
  uint64_t Stamp() const {
    const uint64_t done = done_.load(std::memory_order_acquire);
    const uint64_t begun = begun_.load(std::memory_order_acquire);
    return done == begun ? begun + 1 : kUnknown;
  }

  // Called before and after a change. Any thread, at any time. Async-signal-safe.
  void Begin() { begun_.fetch_add(1, std::memory_order_seq_cst); }
  void End() { done_.fetch_add(1, std::memory_order_seq_cst); }

  // Called in a forked child: changes that other threads had begun will never end.
  void ForgetOtherThreads() { done_.store(begun_.load(std::memory_order_relaxed), std::memory_order_relaxed); }

 private:
  std::atomic<uint64_t> begun_{0};
  std::atomic<uint64_t> done_{0};
};

inline MappingChanges mapping_changes;

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_PATHS_MAPPING_CHANGES_H_
